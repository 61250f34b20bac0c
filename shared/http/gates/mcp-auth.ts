import { authenticateMcp, type McpPrincipal } from '#shared/auth/authenticate-mcp.ts';
import { environment } from '#shared/config/environment.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Gate } from '../request-context.ts';
import { createLogin } from './login.ts';

const challenge = 'Bearer realm="mcp"';

const login = createLogin(({ event }) => authenticateMcp(event.headers.authorization));

/**
 * `mcp.auth`: requires an administrator's login or API token. It refuses unknown origins first, against DNS rebinding
 * (MCP, "Streamable HTTP", security warning). Programs send no origin.
 */
const mcpAuth: Gate<McpPrincipal> = (context) => {
  const { origin } = context.event.headers;
  if (origin !== undefined && !isKnownOrigin(origin)) throw new AppError('auth.origin_denied');
  try {
    return login(context).catch(refuse);
  } catch (error) {
    return refuse(error);
  }
};

export default mcpAuth;

/** Whether it is this site's own origin, or one of `CORS_ORIGINS`. */
function isKnownOrigin(origin: string): boolean {
  const { publicUrl, corsOrigins } = environment();
  return origin === new URL(publicUrl).origin || corsOrigins.includes(origin);
}

/** Adds the realm, because MCP clients read the header (RFC 6750 asks for a parameter). */
function refuse(error: unknown): never {
  if (!(error instanceof AppError) || error.status !== 401) throw error;
  throw new AppError(error, { headers: { 'www-authenticate': challenge }, cause: error });
}
