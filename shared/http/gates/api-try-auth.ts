import { log } from '#shared/log/log.ts';
import type { Gate } from '../request-context.ts';
import apiAuth from './api-auth.ts';

/** The caller; every field is null for a guest. */
export type OptionalCaller =
  | Awaited<ReturnType<typeof apiAuth>>
  | { userId: null; user: null; sessionId: null; sessionEpoch: null };

/** `api.try-auth`: identifies users; every other caller is a guest. */
const apiTryAuth: Gate<OptionalCaller> = async (context) => {
  try {
    return await apiAuth(context);
  } catch (error) {
    // Optional login never blocks (specification, "Authentication" 2).
    log.debug('auth.guest', { error });
    return { userId: null, user: null, sessionId: null, sessionEpoch: null };
  }
};

export default apiTryAuth;
