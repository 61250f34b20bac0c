import { AppError } from '#shared/errors/app-error.ts';
import { json } from '../body/json.ts';
import { exchangeOf, type Step } from '../exchange.ts';
import { measureBody } from '../peek-body.ts';

/** Parses the body of a POST whose route takes one. */
export function bodyStep(): Step {
  return {
    async before(request) {
      const exchange = exchangeOf(request);
      const { route, event, bodyLimitBytes } = exchange;
      if (!route.body) return;
      if (measureBody(event) > bodyLimitBytes) throw new AppError('request.too_large');
      exchange.body = await (route.parser ?? json).parse(event);
    },
  };
}
