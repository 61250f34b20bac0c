import { log } from '#shared/log/log.ts';
import type { Gate } from '../exchange.ts';
import type { OptionalCaller } from '../route.ts';
import { apiAuth } from './api-auth.ts';

/** `api.try-auth`: a valid token of a user tells the handler who calls; anything else makes a guest. */
export const apiTryAuth: Gate = async (exchange) => {
  try {
    await apiAuth(exchange);
  } catch (error) {
    // Optional login never blocks (specification, "Authentication" 2).
    log.debug('auth.guest', { error });
    const guest: OptionalCaller = { userId: null, user: null, sessionId: null };
    Object.assign(exchange.caller, guest);
  }
};
