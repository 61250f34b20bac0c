import { type Throttle, throttles } from '#shared/config/throttles.ts';
import { listThrottles, type Route, requiresLogin } from '../route.ts';

const kib = 1024;

/**
 * Largest JSON bodies in bytes (contract, section 4). The parser calls a function for each value: a list of 1 MiB
 * takes a quarter of a second or more, so only callers who are logged in may send that much.
 */
export const bodyLimits = { countedByBody: 16 * kib, open: 64 * kib, behindLogin: 1024 * kib } as const;

/** Whether a throttle of the route counts by a field of the body, which is parsed before the gates then. */
export function isCountedByBody(route: Pick<Route, 'middleware'>): boolean {
  const rules = listThrottles(route).flatMap((name): Throttle['rules'] => throttles[name].rules);
  return rules.some(({ by }) => by.includes('account') || by.includes('mobile'));
}

/** Largest body that a route takes, in bytes: its own limit, its parser's, or that of its kind. */
export function bodyLimitOf(route: Route): number {
  const ownBytes = route.bodyLimitBytes ?? route.parser?.limitBytes;
  if (ownBytes !== undefined) return ownBytes;
  if (isCountedByBody(route)) return bodyLimits.countedByBody;
  return requiresLogin(route) ? bodyLimits.behindLogin : bodyLimits.open;
}
