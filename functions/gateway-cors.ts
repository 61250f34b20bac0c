import { corsOrigins } from '#shared/config/cors.ts';

/**
 * CORS of the HTTP API, as `provider.httpApi` takes it; nothing where no origin is named.
 *
 * @param list `CORS_ORIGINS`
 * @throws EnvironmentError for what is no origin
 */
export function gatewayCors(list: string | undefined) {
  const allowedOrigins = corsOrigins(list);
  if (allowedOrigins.length === 0) return {};
  return {
    cors: {
      allowedOrigins,
      allowedMethods: ['GET', 'POST'],
      allowedHeaders: [
        'authorization',
        'content-type',
        'x-language',
        'x-requested-with',
        'if-none-match',
        'range',
        'mcp-protocol-version',
      ],
      exposedResponseHeaders: [
        'etag',
        'x-request-id',
        'retry-after',
        'ratelimit-limit',
        'ratelimit-remaining',
        'ratelimit-reset',
      ],
      maxAge: 600,
    },
  };
}
