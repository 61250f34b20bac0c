// Loads the path of a request, which all routes share, at the start.
import './endpoint.ts';
import type { endpoint } from './endpoint.ts';

type Handler = ReturnType<typeof endpoint>;

/**
 * The handler of a function that answers several routes: the gateway's route key names one, whose entry loads on first
 * use.
 *
 * @param routes loaders of entries, by route key: `GET /adminapi/shop/product/list`
 * @throws Error for another route key, which the gateway does not send
 */
export function dispatch(routes: Readonly<Record<string, () => Promise<{ handler: Handler }>>>): Handler {
  return async (event, context) => {
    const load = Object.hasOwn(routes, event.routeKey) ? routes[event.routeKey] : undefined;
    if (!load) throw new Error(`this function does not answer "${event.routeKey}"`);
    const { handler } = await load();
    return handler(event, context);
  };
}
