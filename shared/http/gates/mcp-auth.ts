import { mcpScopes } from '#shared/auth/api-token.ts';
import { authenticateMcp, type McpPrincipal } from '#shared/auth/authenticate-mcp.ts';
import { createChallenge, toResource } from '#shared/auth/challenge.ts';
import { environment } from '#shared/config/environment.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Gate, RequestContext } from '../request-context.ts';
import { createLogin } from './login.ts';

const login = createLogin(({ event }) => authenticateMcp(event.headers.authorization, toResource(event)));

/**
 * `mcp.auth`: requires an administrator's login or API token. It refuses unknown origins first, against DNS rebinding
 * (MCP, "Streamable HTTP", security warning). Programs send no origin.
 */
const mcpAuth: Gate<McpPrincipal> = (context) => {
  const { origin } = context.event.headers;
  if (origin !== undefined && !isKnownOrigin(origin)) throw new AppError('auth.origin_denied');
  try {
    return login(context).then(
      (caller) => {
        context.principal = { id: caller.adminId, admin: caller.admin };
        if (caller.ownLocale) context.preferLocale(caller.ownLocale);
        return caller;
      },
      (error) => refuse(error, context),
    );
  } catch (error) {
    return refuse(error, context);
  }
};

export default mcpAuth;

/** Whether it is this site's own origin, or one of `CORS_ORIGINS`. */
function isKnownOrigin(origin: string): boolean {
  const { publicUrl, corsOrigins } = environment();
  return origin === new URL(publicUrl).origin || corsOrigins.includes(origin);
}

/** Tells MCP clients how to get a token. */
function refuse(error: unknown, { event }: RequestContext): never {
  if (!(error instanceof AppError) || error.status !== 401) throw error;
  const reason = error.code === 'auth.token_missing' ? undefined : 'invalid_token';
  const challenge = createChallenge(event, mcpScopes.join(' '), reason);
  throw new AppError(error, { headers: { 'www-authenticate': challenge }, cause: error });
}
