import { refuseTooLarge } from '#shared/errors/too-large.ts';
import { bodyLimitOf } from '../body/body-limit.ts';
import { json } from '../body/json.ts';
import { measureBody } from '../body/raw-body.ts';
import { exchangeOf, type Step } from '../exchange.ts';
import type { Route } from '../route.ts';

/** Reads the body of a route that takes one; its size is checked before it is parsed. */
export function bodySteps(route: Route): Step[] {
  if (!route.body) return [];
  const { steps } = route.parser ?? json;
  return [limitStep(bodyLimitOf(route)), ...steps];
}

function limitStep(limitBytes: number): Step {
  return {
    before({ event }) {
      if (measureBody(event) > limitBytes) throw refuseTooLarge(limitBytes);
    },
  };
}

/** Runs steps whose refusal must wait for the gates; the validation step throws it. */
export function holdRefusal(steps: readonly Step[]): Step {
  return {
    async before(request) {
      try {
        for (const { before } of steps) await before?.(request);
      } catch (error) {
        exchangeOf(request).refusal = error;
      }
    },
  };
}
