/** A URL of this machine, as clients on a desktop use it: host, port, rest. */
const loopback = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/;

export const isLoopback = (uri: string): boolean => loopback.test(uri);

/** Printable ASCII without a fragment: host, port, path, query. A backslash would be read as a slash. */
const written = /^https?:\/\/([^/?:[\]]+|\[[^\]]*\])(?::\d{1,5})?(\/[^?]*)?(?:\?.*)?$/;
const unfit = /[^\x21-\x7e]|[#\\*]/;

/**
 * Whether a client may have a redirect URI: `https`, or `http` on loopback (MCP, "Communication Security"). It is
 * compared to the letter, so a browser must read it as it is written; `*` stands for nothing.
 */
export function isAllowedRedirect(uri: string): boolean {
  const [, host = '', path = '/'] = written.exec(uri) ?? [];
  const url = URL.parse(uri);
  if (!url || unfit.test(uri) || url.username || url.password) return false;
  if (url.hostname !== host.toLowerCase() || url.pathname !== path) return false;
  return url.protocol === 'https:' || isLoopback(uri);
}

/** Whether a redirect URI is a registered one: to the letter, except the port of loopback (RFC 8252, section 7.3). */
export function matchesRedirect(registered: string, given: string): boolean {
  if (registered === given) return true;
  return URL.canParse(given) && withoutPort(registered) === (withoutPort(given) ?? '');
}

/** Undefined if it is not on loopback. */
function withoutPort(uri: string): string | undefined {
  const [, host, rest] = loopback.exec(uri) ?? [];
  return host === undefined ? undefined : host + rest;
}

/** Adds parameters to a redirect URI, which otherwise stays as it is, to the letter. */
export function addToRedirect(uri: string, parameters: Record<string, string | undefined>): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) added.append(name, value);
  return `${uri}${uri.includes('?') ? '&' : '?'}${added}`;
}
