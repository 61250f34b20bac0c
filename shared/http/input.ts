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
    context.issues = [{ path: 'query', message: context.t('rule.parameters', { max: maxParameters }) }];
    return;
  }
  const checked = validate(route.query, toQuery(parameters), { root: 'query', ...context });
  context.query = checked.value;
  context.issues = checked.issues;
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

/** Steps that read the body; they check its size before they parse it. */
export function bodySteps({ body, parser = json }: Route, limitBytes: number): Step[] {
  if (!body) return [];
  const checkSize: Step = {
    before({ event }) {
      if (measureBody(event) > limitBytes) throw refuseTooLarge(limitBytes);
    },
  };
  return [checkSize, ...parser.steps(body)];
}

/** Runs body steps before the gates. The validation step throws their refusal, after the gates. */
export function holdRefusal(steps: readonly Step[]): Step {
  return {
    async before(request) {
      try {
        for (const { before } of steps) await before?.(request);
      } catch (error) {
        request.internal.context.bodyRefusal = error;
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
        const checked = validate(schema, context.body, { root: 'body', ...context });
        context.body = checked.value;
        context.issues = context.issues.concat(checked.issues);
      }
      const { issues } = context;
      if (issues.length > 0) throw new AppError('request.invalid', { errors: issues });
    },
  };
}
