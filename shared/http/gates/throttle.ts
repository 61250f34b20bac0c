import { readBearer } from '#shared/auth/authenticate.ts';
import { verifyToken } from '#shared/auth/token.ts';
import { type Dimension, type Throttle, type ThrottleName, throttles } from '#shared/config/throttles.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { openTicket } from '#shared/files/uploads/ticket.ts';
import { checkThrottle, type Identity, type ThrottleState } from '#shared/throttle/throttle.ts';
import { toCountedAddress } from '../address.ts';
import { type Exchange, type Gate, sentFields } from '../exchange.ts';

/** `throttle:*`: refuses who asks too often, and tells everybody what is left. */
export function throttle(name: ThrottleName): Gate {
  const { rules }: Throttle = throttles[name];
  const dimensions = new Set(rules.flatMap(({ by }) => by));
  return (exchange) => {
    if (exchange.route.isThrottled?.(exchange.event) === false) return Promise.resolve();
    const checked = checkThrottle(name, identify(exchange, dimensions));
    if (checked instanceof Promise) return checked.then((state) => apply(state, exchange));
    // A flood is refused in this tick, so that nothing is prefetched for it.
    apply(checked, exchange);
    return Promise.resolve();
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

/** What a request is counted by, for what some rule counts by. */
function identify(exchange: Exchange, dimensions: ReadonlySet<Dimension>): Identity {
  const identity: Identity = {};
  for (const dimension of dimensions) {
    const value = readers[dimension](exchange);
    if (value !== undefined) identity[dimension] = value;
  }
  return identity;
}

const readers: Record<Dimension, (exchange: Exchange) => string | undefined> = {
  address: ({ address }) => toCountedAddress(address),
  account: (exchange) => readField(exchange, 'account'),
  mobile: (exchange) => readField(exchange, 'mobile'),
  principal: ({ event }) => readPrincipal(event.headers.authorization),
  guest_address: (exchange) => (readers.principal(exchange) ? undefined : readers.address(exchange)),
  ticket: (exchange) => readTicket(exchange.event) ?? readers.address(exchange),
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

/** A principal counts only once the signature of its token is verified. */
function readPrincipal(header: string | undefined): string | undefined {
  const token = readBearer(header);
  if (!token) return undefined;
  try {
    const { kind, principalId } = verifyToken(token);
    return `${kind}:${principalId}`;
  } catch {
    return undefined; // Forged or expired: counted as a guest, refused by the gate that follows.
  }
}
