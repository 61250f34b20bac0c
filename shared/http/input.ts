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
    async before(request) {
      if (!schema) return;
      const { context } = request.internal;
      try {
        if (measureBody(request.event) > limitBytes) throw refuseTooLarge(limitBytes);
        context.body = await parser.read(request, schema);
      } catch (error) {
        context.bodyRefusal = error;
      }
    },
  };
}

/** Checks the body, and throws all issues of query and body. */
export function validationStep({ body: schema }: Route): Step {
  return {
    before({ internal: { context } }) {
      if (context.bodyRefusal) throw context.bodyRefusal;
      if (schema) {
        const checked = validate(schema, context.body, 'body');
        context.body = checked.value;
        context.issues = context.issues.concat(checked.issues ?? []);
      }
      const { issues } = context;
      if (issues.length > 0) throw new AppError('request.invalid', { errors: issues });
    },
  };
}
