import { AppError } from '#shared/errors/app-error.ts';
import type { BodyParser } from '../body/body-parser.ts';
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
      const parser: BodyParser = route.parser ?? json;
      const limit = Math.min(bodyLimitBytes, parser.limitBytes ?? bodyLimitBytes);
      if (measureBody(event) > limit) throw new AppError('request.too_large');
      exchange.body = await parser.parse(event);
    },
  };
}
