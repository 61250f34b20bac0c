import { readBearer } from '#shared/auth/authenticate.ts';
import { verifyToken } from '#shared/auth/token.ts';
import { type Throttle, type ThrottleName, throttles } from '#shared/config/throttles.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { openTicket } from '#shared/files/uploads/ticket.ts';
import { checkThrottle, type Identity, type ThrottleState } from '#shared/throttle/throttle.ts';
import { toCountedAddress } from '../address.ts';
import type { Exchange, Gate } from '../exchange.ts';
import { peekBody, peekFormField, peekLimitBytes } from '../peek-body.ts';

/** `throttle:*`: refuses who asks too often, and tells everybody what is left. */
export function throttle(name: ThrottleName): Gate {
  const { rules }: Throttle = throttles[name];
  const isByBody = rules.some(({ by }) => by.includes('account') || by.includes('mobile'));
  return (exchange) => {
    if (exchange.route.isThrottled?.(exchange.event) === false) return Promise.resolve();
    // A body too large to be counted by must not reach the handler either.
    if (isByBody) exchange.bodyLimitBytes = peekLimitBytes;
    const checked = checkThrottle(name, identify(exchange));
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

function identify(exchange: Exchange): Identity {
  const address = toCountedAddress(exchange.address);
  const principal = readPrincipal(exchange.event.headers.authorization);
  const { account, mobile } = exchange.route.method === 'POST' ? peekBody(exchange.event) : {};
  return {
    address,
    ...(typeof account === 'string' && { account }),
    ...(typeof mobile === 'string' && { mobile }),
    ...(principal ? { principal } : { guest_address: address }),
    ticket: readTicket(exchange.event) ?? address,
  };
}

/**
 * The upload whose ticket a request uses: the form's, else the query's. Tickets that were not made here count
 * together, for the address that tries them.
 */
function readTicket(event: Exchange['event']): string | undefined {
  return openTicket(peekFormField(event, 'ticket') ?? event.queryStringParameters?.ticket ?? '');
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
