import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { corsOrigins } from '#shared/config/cors.ts';

// Loaded into the gateway's process before anything else (`node --import`).

/** Sources that are loaded anew after a change: the project's own, not its dependencies. */
const root = pathToFileURL(`${process.cwd()}/`).href;
const isOwn = (url: string) => url.startsWith(root) && !url.startsWith(`${root}node_modules/`);

let version = 0;
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (version === 0 || !isOwn(resolved.url) || resolved.url.includes('?')) return resolved;
    return { ...resolved, url: `${resolved.url}?v=${version}` };
  },
});
process.on('message', (message) => {
  if (message === 'reload') version += 1;
});
// Its starter is gone, even if it had no time to say so.
process.on('disconnect', () => process.exit());

// serverless-offline answers every origin as if it were allowed; the gateway it stands for does not.
const allowed = new Set(corsOrigins(process.env.CORS_ORIGINS));
channel('http.server.request.start').subscribe((message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  if (allowed.has(request.headers.origin ?? '')) return;
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) =>
    name.toLowerCase().startsWith('access-control-') ? response : setHeader(name, value);
});
