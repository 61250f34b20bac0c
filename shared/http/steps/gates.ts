import { settleAll } from '#shared/async/settle-all.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { validate } from '#shared/i18n/validate.ts';
import { type Exchange, exchangeOf, type Gate, type Step, sentFields } from '../exchange.ts';

/**
 * Starts every gate and the route's prefetch in one tick, so that all their reads leave as one request, and
 * lets refusals out in the order of the gates whatever the order of the work. The query is checked before,
 * because the prefetch depends on it; what does not fit is held back until the gates have passed.
 */
export function gatesStep(gates: readonly Gate[]): Step {
  return {
    async before(request) {
      const exchange = exchangeOf(request);
      checkQuery(exchange);
      const passing: Promise<void>[] = [];
      let isRefused = false;
      for (const gate of gates) {
        try {
          passing.push(gate(exchange));
        } catch (error) {
          isRefused = true;
          passing.push(Promise.reject(error));
        }
      }
      const outcomes: unknown[] = await settleAll([...passing, isRefused ? undefined : prefetch(exchange)]);
      exchange.prefetched = outcomes.at(-1);
    },
    async onError(request) {
      if (request.error instanceof AppError) await exchangeOf(request).releaseThrottle?.(request.error.code);
    },
  };
}

async function prefetch(exchange: Exchange): Promise<unknown> {
  const { route, query, issues } = exchange;
  return issues.length === 0 ? route.prefetch?.(query, sentFields(exchange)) : undefined;
}

/** Most parameters of a query. */
const maxParameters = 200;

function checkQuery(exchange: Exchange): void {
  const { route, event, t } = exchange;
  if (!route.query) return;
  const parameters = new URLSearchParams(event.rawQueryString);
  if (parameters.size > maxParameters) {
    exchange.issues = [{ path: 'query', message: t('rule.parameters', { max: maxParameters }) }];
    return;
  }
  const checked = validate(route.query, toQuery(parameters), { root: 'query', ...exchange });
  exchange.query = checked.value;
  exchange.issues = checked.issues;
}

/** Query parameters without a prototype; one that is repeated becomes a list. */
export function toQuery(parameters: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of parameters) {
    const before = query[name];
    if (Array.isArray(before)) before.push(value);
    else query[name] = before === undefined ? value : [before, value];
  }
  return query;
}
