const names = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const;

/** What a client has sent to `/oauth/authorize`. */
export type AuthorizeParameters = Partial<Record<(typeof names)[number], string>>;

/** The parameters that the service knows; clients may add others. @param query with `?` */
export function readParameters(query: string): AuthorizeParameters {
  const given = new URLSearchParams(query);
  return Object.fromEntries(names.flatMap((name) => (given.has(name) ? [[name, given.get(name)]] : [])));
}

/** The scope to grant: what was asked for, or reading only. Never empty. */
export const toScope = (asked: readonly string[], mayWrite: boolean): string =>
  mayWrite ? asked.join(' ') : 'mcp:read';

const scripts = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'];

/** Whether the page may go there: a page of the web, or an app with a scheme of its own, but never a script. */
export function isOpenable(url: string): boolean {
  const protocol = URL.parse(url)?.protocol;
  return protocol !== undefined && !scripts.includes(protocol);
}
