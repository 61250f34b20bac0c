import { settleAll } from '#shared/async/settle-all.ts';
import { readApiToken } from '#shared/auth/api-token-text.ts';
import { isApiToken, readBearer, readCaller } from '#shared/auth/token.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { toCountedAddress } from '#shared/net/counted-address.ts';
import {
  type CountedState,
  checkThrottle,
  type Identity,
  type ThrottleState,
} from '#shared/throttle/throttle.ts';
import {
  type CallerDimension,
  type Dimension,
  listDimensions,
  nameDimension,
  type Throttle,
} from '#shared/throttle/throttles.ts';
import { type Gate, type RequestContext, sentFields } from '../request-context.ts';

/** `throttle:*`: limits the rate of requests. Every answer has the remaining count in its headers. */
export default function throttle(name: string, declared: Throttle): Gate<void> {
  const { rules } = declared;
  const dimensions = new Set(listDimensions(declared));
  const count = (context: RequestContext, caller: Caller) =>
    checkThrottle(name, declared, identify(context, dimensions, caller));
  return (context) => {
    if (!context.isThrottled()) return Promise.resolve();
    if (dimensions.has('refused_address')) {
      return countRefusal(context, () => count(context, { isRefused: true }));
    }
    // Forged and expired tokens count as guests, and those that the login gate refuses.
    const principal = dimensions.has('principal') ? namePrincipal(context) : undefined;
    const checked = count(context, { principal });
    if (checked instanceof Promise) {
      if (rules.some(({ exempt, failures }) => exempt ?? failures)) offerRelease(context, checked);
      const checking = principal ? confirm(context, checked, () => count(context, {})) : checked;
      return checking.then((state) => apply(state, context));
    }
    // During a flood this process refuses in this tick, so that the prefetch does not start.
    apply(checked, context);
    return Promise.resolve();
  };
}

/** Counts a request only if its token is refused; good tokens and requests without one pass. */
async function countRefusal(
  context: RequestContext,
  count: () => ReturnType<typeof checkThrottle>,
): Promise<void> {
  // The login gate starts after this one, in the same tick.
  await Promise.resolve();
  if ((await context.login) === 'refused') apply(await count(), context);
}

/** Session and count are requested together. Without a session, the address is counted instead of the principal. */
async function confirm(
  context: RequestContext,
  checking: Promise<CountedState>,
  countAddress: () => ReturnType<typeof checkThrottle>,
): Promise<ThrottleState | undefined> {
  const state = await checking;
  // The login gate starts after this one, so its outcome is known only now.
  if ((await context.login) === 'accepted') return state;
  const [byAddress] = await settleAll([countAddress(), state.release()]);
  return byAddress;
}

/** Releases the counts of rules that do not count how the request ended. */
function offerRelease(context: RequestContext, checked: Promise<CountedState>): void {
  const released = new Set<string>();
  context.releaseThrottle = async (code) => {
    // If no store could count the request, there is nothing to release.
    const counted = await checked.catch(() => undefined);
    if (!counted?.isAllowed) return;
    const state = await counted.release(({ id, exempt, failures }) => {
      const isReleased = failures ? !failures.includes(code ?? '') : code !== undefined && exempt === code;
      if (!isReleased || released.has(id)) return false;
      released.add(id);
      return true;
    });
    setHeaders(state, context);
  };
}

function setHeaders({ limit, remaining, resetSeconds }: ThrottleState, context: RequestContext): void {
  Object.assign(context.headers, {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  });
}

function apply(state: ThrottleState | undefined, context: RequestContext): void {
  if (!state) return;
  setHeaders(state, context);
  context.isUnderPressure = state.isUnderPressure;
  const { isAllowed, resetSeconds } = state;
  if (isAllowed) return;
  throw new AppError('throttle.exceeded', {
    params: { seconds: resetSeconds },
    headers: { 'retry-after': String(resetSeconds) },
  });
}

interface Caller {
  principal?: string;
  /** Whether the login gate refused the token. */
  isRefused?: boolean;
}

/** The values that a request is counted by, for the dimensions of the rules. */
const identify = (context: RequestContext, dimensions: Iterable<Dimension>, caller: Caller): Identity =>
  Object.fromEntries(
    Array.from(dimensions, (each) => [nameDimension(each), readValue(each, context, caller)]),
  );

function readValue(dimension: Dimension, context: RequestContext, caller: Caller): string | undefined {
  if (typeof dimension === 'string') return readers[dimension](context, caller);
  if (!('body' in dimension)) return context.credential;
  const value = sentFields(context)[dimension.body];
  return typeof value === 'string' ? value : undefined;
}

const readers: Record<CallerDimension, (context: RequestContext, caller: Caller) => string | undefined> = {
  address: ({ address }) => toCountedAddress(address),
  principal: (_context, { principal }) => principal,
  guest_address: ({ address, credential }, { principal }) =>
    (principal ?? credential) ? undefined : toCountedAddress(address),
  refused_address: ({ address }, { isRefused }) => (isRefused ? toCountedAddress(address) : undefined),
};

function namePrincipal({ event }: RequestContext): string | undefined {
  const { authorization } = event.headers;
  const token = readBearer(authorization) ?? '';
  const holder = isApiToken(token) ? readApiToken(token) : undefined;
  if (holder) return `admin:${holder.adminId}`;
  const caller = readCaller(authorization);
  return caller && `${caller.kind}:${caller.principalId}`;
}
