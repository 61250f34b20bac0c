import { settleAll } from '#shared/async/settle-all.ts';
import { readBearer } from '#shared/auth/authenticate.ts';
import { verifyToken } from '#shared/auth/token.ts';
import { type Dimension, type Throttle, type ThrottleName, throttles } from '#shared/config/throttles.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { openTicket } from '#shared/storage/ticket.ts';
import {
  type CountedState,
  checkThrottle,
  type Identity,
  type ThrottleState,
} from '#shared/throttle/throttle.ts';
import { toCountedAddress } from '../address.ts';
import { type Exchange, type Gate, sentFields } from '../exchange.ts';

/** `throttle:*`: refuses callers that ask too often, and tells all of them what is left. */
export function throttle(name: ThrottleName): Gate {
  const { rules }: Throttle = throttles[name];
  const dimensions = new Set(rules.flatMap(({ by }) => by));
  const count = (exchange: Exchange, caller: Caller) =>
    checkThrottle(name, identify(exchange, dimensions, caller));
  return (exchange) => {
    if (exchange.route.isThrottled?.(exchange.event) === false) return Promise.resolve();
    if (dimensions.has('refused_address')) {
      return countRefusal(exchange, () => count(exchange, { isRefused: true }));
    }
    const principal = dimensions.has('principal') ? readPrincipal(exchange) : undefined;
    const checked = count(exchange, { principal });
    if (checked instanceof Promise) {
      if (rules.some(({ exempt }) => exempt)) offerRelease(exchange, checked);
      const checking = principal ? confirm(exchange, checked, () => count(exchange, {})) : checked;
      return checking.then((state) => apply(state, exchange));
    }
    // A flood is refused in this tick, so that nothing is prefetched for it.
    apply(checked, exchange);
    return Promise.resolve();
  };
}

/** Counts a request only if its token is refused; good tokens and requests without one pass. */
async function countRefusal(
  exchange: Exchange,
  count: () => ReturnType<typeof checkThrottle>,
): Promise<void> {
  // The login gate starts after this one, in the same tick.
  await Promise.resolve();
  if ((await exchange.login) === 'refused') apply(await count(), exchange);
}

/**
 * A principal counts only if its session was found. The search for it and the count leave in one request; if the
 * session was not found, the place is given back, and the address counts.
 */
async function confirm(
  exchange: Exchange,
  checking: Promise<CountedState>,
  countAddress: () => ReturnType<typeof checkThrottle>,
): Promise<ThrottleState | undefined> {
  const state = await checking;
  // The login gate starts after this one, so its outcome is not there before the count has left.
  if ((await exchange.login) === 'accepted') return state;
  const [byAddress] = await settleAll([countAddress(), state.release()]);
  return byAddress;
}

/** Lets the refusal of a handler give the places back that it is exempt from. */
function offerRelease(exchange: Exchange, checked: Promise<CountedState>): void {
  exchange.releaseThrottle = async (code) => {
    // If no store could count the request, there is no place to give back.
    const counted = await checked.catch(() => undefined);
    if (counted) apply(await counted.release(({ exempt }) => exempt === code), exchange);
  };
}

function apply(state: ThrottleState | undefined, exchange: Exchange): void {
  if (!state) return;
  const { isAllowed, limit, remaining, resetSeconds } = state;
  Object.assign(exchange.headers, {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  });
  if (isAllowed) return;
  throw new AppError('throttle.exceeded', {
    params: { seconds: resetSeconds },
    headers: { 'retry-after': String(resetSeconds) },
  });
}

/** What is known about the caller before a handler runs. */
interface Caller {
  principal?: string;
  /** Whether the login gate refused the token. */
  isRefused?: boolean;
}

/** What a request is counted by, for what some rule counts by. */
function identify(exchange: Exchange, dimensions: ReadonlySet<Dimension>, caller: Caller): Identity {
  const identity: Identity = {};
  for (const dimension of dimensions) {
    const value = readers[dimension](exchange, caller);
    if (value !== undefined) identity[dimension] = value;
  }
  return identity;
}

const readers: Record<Dimension, (exchange: Exchange, caller: Caller) => string | undefined> = {
  address: ({ address }) => toCountedAddress(address),
  account: (exchange) => readField(exchange, 'account'),
  mobile: (exchange) => readField(exchange, 'mobile'),
  principal: (_exchange, { principal }) => principal,
  guest_address: ({ address }, { principal }) => (principal ? undefined : toCountedAddress(address)),
  refused_address: ({ address }, { isRefused }) => (isRefused ? toCountedAddress(address) : undefined),
  ticket: ({ event, address }) => readTicket(event) ?? toCountedAddress(address),
};

function readField(exchange: Exchange, name: string): string | undefined {
  const value = sentFields(exchange)[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * The upload of the ticket in the URL that clients are given. Without it, or with a ticket that was not made
 * here, a request counts for its address.
 */
function readTicket({ rawQueryString }: Exchange['event']): string | undefined {
  return openTicket(new URLSearchParams(rawQueryString).get('ticket') ?? '');
}

/** The principal that a token names, if its signature is good. Whether the token still counts, the login gate decides. */
function readPrincipal({ event }: Exchange): string | undefined {
  const token = readBearer(event.headers.authorization);
  if (!token) return undefined;
  try {
    const { kind, principalId } = verifyToken(token);
    return `${kind}:${principalId}`;
  } catch {
    return undefined; // Forged or expired: counted as a guest, refused by the gate that follows.
  }
}
