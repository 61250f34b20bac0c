import { authenticateMcp } from '#shared/auth/authenticate-mcp.ts';
import { isKnownOrigin } from '#shared/config/cors.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Gate } from '../exchange.ts';
import { watchLogin } from './watch-login.ts';

const challenge = 'Bearer realm="mcp"';

/**
 * `mcp.auth`: lets administrators through by login or by API token, and tells the handler who calls and with
 * which scope. Before all else it refuses pages of origins that are not known, against DNS rebinding (MCP,
 * "Streamable HTTP", security warning); programs send no origin.
 */
export const mcpAuth: Gate = (exchange) => {
  const { origin, authorization } = exchange.event.headers;
  if (origin !== undefined && !isKnownOrigin(origin)) throw new AppError('auth.origin_denied');
  try {
    const finding = watchLogin(exchange, () => authenticateMcp(authorization));
    return finding.then((found) => void Object.assign(exchange.caller, found), refuse);
  } catch (error) {
    return refuse(error);
  }
};

/** Lets a refusal out with a realm, since clients of MCP read the header (RFC 6750 asks for a parameter). */
function refuse(error: unknown): never {
  if (!(error instanceof AppError) || error.status !== 401) throw error;
  throw new AppError(error.code, { headers: { 'www-authenticate': challenge }, cause: error });
}
