import type { AuditActor } from './entry.ts';

/** What a request says about who acts. */
interface Caller {
  admin: { id: string | null; account: string | null };
  /** ID of the API token, if one was used. */
  tokenId?: string | undefined;
  /** ID of the OAuth client, if its access token was used. */
  client?: string | undefined;
}

/** The actor of an entry: an administrator, by a login, an API token or an OAuth client. */
export function describeActor({ admin: { id, account }, tokenId, client }: Caller): AuditActor {
  if (client) return { kind: 'oauth', id, account, client };
  return tokenId ? { kind: 'token', id, account, client: tokenId } : { kind: 'admin', id, account };
}
