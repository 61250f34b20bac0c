import type { HandlerContext } from '#shared/http/route.ts';
import { createTranslate } from '#shared/i18n/messages.ts';
import { createEvent } from './function-event.ts';

/** What a route's handler is given for a request without query and body. */
export const createHandlerContext = (): HandlerContext => ({
  query: {},
  body: undefined,
  prefetched: undefined,
  locale: 'zh_CN',
  t: createTranslate('zh_CN'),
  request: {
    id: 'request',
    address: '203.0.113.7',
    event: createEvent({ method: 'GET', path: '/' }),
    remainingMs: () => 3000,
  },
});
