import type { HapiServer } from 'serverless-offline';

/**
 * Removes the CORS headers from what other origins are answered: serverless-offline answers simple requests of
 * every origin as if it were allowed, and the gateway it stands for does not.
 */
export function hideCors(server: HapiServer, origins: readonly string[]): void {
  const allowed = new Set(origins);
  server.ext('onPreResponse', ({ headers, response }, toolkit) => {
    const answered = response.isBoom ? response.output.headers : response.headers;
    for (const name of allowed.has(headers.origin ?? '') ? [] : Object.keys(answered)) {
      if (name.startsWith('access-control-')) delete answered[name];
    }
    return toolkit.continue;
  });
}
