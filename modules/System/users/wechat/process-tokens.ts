import { type AccessTokenSettings, type AccessTokens, createAccessTokens } from './access-tokens.ts';
import { createTokenStore } from './token-store.ts';

/** Access tokens by account: clients are made for each request, tokens stay for the next. */
const processTokens = new Map<string, AccessTokens>();
const maxAccounts = 16;

/** The access tokens of an account in this process. */
export function accessTokensOf(settings: AccessTokenSettings): AccessTokens {
  const account = JSON.stringify([settings.baseUrl, settings.appId, settings.secret]);
  const known = processTokens.get(account);
  if (known) return known;
  // Settings change rarely; the bound keeps old secrets from staying for the life of the process.
  const [oldest] = processTokens.keys();
  if (processTokens.size >= maxAccounts && oldest) processTokens.delete(oldest);
  const created = createAccessTokens(settings, createTokenStore(settings.appId));
  processTokens.set(account, created);
  return created;
}
