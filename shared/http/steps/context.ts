import { negotiateLocale } from '#shared/i18n/locale.ts';
import { createTranslate } from '#shared/i18n/messages.ts';
import type { EndpointOptions, Step } from '../exchange.ts';
import { setExchange } from '../exchange.ts';
import type { Route } from '../route.ts';

/** First step: who asks, in which language, under which request ID. */
export function contextStep(route: Route, { name }: EndpointOptions): Step {
  return {
    before(request) {
      const { event, context } = request;
      const locale = negotiateLocale(event.headers);
      setExchange({
        event,
        route,
        name,
        startedAt: performance.now(),
        remainingMs: () => context.getRemainingTimeInMillis(),
        requestId: context.awsRequestId,
        address: event.requestContext.http.sourceIp,
        locale,
        t: createTranslate(locale),
        query: undefined,
        body: undefined,
        issues: [],
        caller: {},
        prefetched: undefined,
        refusal: undefined,
        headers: {},
      });
    },
  };
}
