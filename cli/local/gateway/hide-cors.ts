import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Takes the CORS headers off what other origins are answered: serverless-offline answers every origin as if it
 * were allowed, and the gateway it stands for does not.
 */
export function hideCors(origins: readonly string[]): void {
  const allowed = new Set(origins);
  channel('http.server.request.start').subscribe((message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (allowed.has(request.headers.origin ?? '')) return;
    const setHeader = response.setHeader.bind(response);
    response.setHeader = (name, value) =>
      name.toLowerCase().startsWith('access-control-') ? response : setHeader(name, value);
  });
}
