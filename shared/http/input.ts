import { AppError, refuseTooLarge } from '#shared/errors/app-error.ts';
import { validate } from '#shared/i18n/validate.ts';
import { json, measureBody } from './body/json.ts';
import type { RequestContext, Step } from './request-context.ts';
import type { Route } from './route.ts';

/** Most parameters of a query. */
const maxParameters = 200;

/** Checks the query. The validation step throws the issues, after the gates. */
export function checkQuery(route: Route, context: RequestContext): void {
  if (!route.query) return;
  const parameters = new URLSearchParams(context.event.rawQueryString);
  if (parameters.size > maxParameters) {
    context.issues = [{ path: 'query', message: 'rule.parameters', params: { max: maxParameters } }];
    return;
  }
  const checked = validate(route.query, toQuery(parameters), 'query');
  context.query = checked.value;
  context.issues = checked.issues ?? [];
}

/** Query parameters as an object without a prototype; a repeated parameter becomes a list. */
export function toQuery(parameters: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of parameters) {
    const before = query[name];
    if (Array.isArray(before)) before.push(value);
    else query[name] = before === undefined ? value : [before, value];
  }
  return query;
}

/** Checks the size of the body, and reads it. The validation step throws its refusal, after the gates. */
export function bodyStep({ body: schema, parser = json }: Route, limitBytes: number): Step {
  return {
    async before(invoked) {
      if (!schema) return;
      const { request } = invoked.context;
      try {
        if (measureBody(request.event) > limitBytes) throw refuseTooLarge(limitBytes);
        request.body = await parser.read(invoked, schema);
      } catch (error) {
        request.bodyRefusal = error;
      }
    },
  };
}

/** Checks the body, and throws all issues of query and body. */
export function validationStep({ body: schema }: Route): Step {
  return {
    before({ context: { request } }) {
      if (request.bodyRefusal) throw request.bodyRefusal;
      if (schema) {
        const checked = validate(schema, request.body, 'body');
        request.body = checked.value;
        request.issues = request.issues.concat(checked.issues ?? []);
      }
      const { issues } = request;
      if (issues.length > 0) throw new AppError('request.invalid', { errors: issues });
    },
  };
}
