/** What opens one of the ways in: a login, an API token, a connection, or an open confirmation. */
export type Kind = 'session' | 'token' | 'oauth' | 'refresh' | 'confirmation';
export interface Credential {
  kind: Kind;
  /** Whether its API token carries no right to write. */
  isNarrow?: boolean;
  isDead?: boolean;
}
export interface Owner {
  isEnabled: boolean;
  isGone?: boolean;
  super: boolean;
  roles: string[];
  credentials: Credential[];
}

const isToken = ({ kind }: Credential) => ['token', 'oauth', 'refresh'].includes(kind);

/** Kills all credentials, for good. @param keepsTokens leaves tokens and connections alive */
export function end({ credentials }: Owner, keepsTokens = false): void {
  for (const each of credentials) each.isDead ||= !(keepsTokens && isToken(each));
}

/** The rule of roles: a new right, or the loss of all, ends everything. */
export function assign(owner: Owner, roles: string[], isSuper: boolean): void {
  const isMore = roles.some((role) => !owner.roles.includes(role)) || (isSuper && !owner.super);
  const isNone = roles.length === 0 && !isSuper && (owner.super || owner.roles.length > 0);
  if (isMore || isNone) end(owner);
  Object.assign(owner, { roles, super: isSuper });
}

/** The answer to a use of a credential. @param writers roles that grant the right to write */
export function answer(owner: Owner, used: Credential, writers: ReadonlySet<string>): string {
  const isOut = owner.isGone || !owner.isEnabled;
  if (isOut && used.kind !== 'refresh') return 'auth.principal_disabled';
  if (used.kind === 'refresh') return isOut || used.isDead ? 'oauth.invalid_grant' : 'done';
  if (used.kind === 'confirmation') return used.isDead ? 'tool.confirm_invalid' : 'done';
  if (used.isDead) return 'auth.token_revoked';
  const holds = owner.super || owner.roles.some((role) => writers.has(role));
  return holds && !used.isNarrow ? 'may write' : 'may not write';
}
