import type { HapiResponse, HapiServer } from 'serverless-offline';

/** What serverless-offline makes of a function that fails, or whose module cannot be loaded. */
const failure = '{"errorMessage":';

/**
 * Changes what serverless-offline answers differently from the gateway that it stands for:
 * - it answers simple requests of every origin as if CORS allowed them;
 * - a function that fails is a 200 with its error and stack trace, not a 500 without them.
 *
 * @param origins whose pages may read answers
 */
export function answerAsGateway(server: HapiServer, origins: readonly string[]): void {
  const allowed = new Set(origins);
  server.ext('onPreResponse', ({ headers, response }, toolkit) => {
    if (!response.isBoom && typeof response.source === 'string' && response.source.startsWith(failure)) {
      return toolkit.response({ message: 'Internal Server Error' }).code(500);
    }
    if (!allowed.has(headers.origin ?? '')) dropCors(response.isBoom ? response.output : response);
    return toolkit.continue;
  });
}

function dropCors({ headers }: Pick<HapiResponse, 'headers'>): void {
  for (const name of Object.keys(headers)) if (name.startsWith('access-control-')) delete headers[name];
}
