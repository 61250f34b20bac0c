import { AppError } from '#shared/errors/app-error.ts';
import { validate } from '#shared/i18n/validate.ts';
import { exchangeOf, type Step } from '../exchange.ts';

/** Checks the body, and refuses with everything that fits neither there nor in the query. */
export function validationStep(): Step {
  return {
    before(request) {
      const exchange = exchangeOf(request);
      const { route, refusal } = exchange;
      if (refusal) throw refusal;
      if (route.body) {
        const checked = validate(route.body, exchange.body, { root: 'body', ...exchange });
        exchange.body = checked.value;
        exchange.issues = exchange.issues.concat(checked.issues);
      }
      const { issues } = exchange;
      if (issues.length > 0) throw new AppError('request.invalid', { errors: issues });
    },
  };
}
