import { addAdmin } from '#modules/System/admins/admins.ts';
import {
  type ApiToken,
  addApiToken,
  listApiTokens,
  type NewApiToken,
} from '#modules/System/admins/api-tokens.ts';
import { authenticateMcp } from '#shared/auth/authenticate-mcp.ts';
import { randomLetters } from '../../../support/database.ts';
import { ownerOf } from '../../../support/token-owner.ts';

/** Adds an administrator with a unique account. Returns the ID. */
export async function newAdmin(): Promise<string> {
  const account = randomLetters();
  return (await addAdmin({ account, name: account, password: 'correct horse battery' })).id;
}

export const newToken = async (adminId: string, more: Partial<NewApiToken> = {}) =>
  addApiToken(await ownerOf(adminId), { name: 'laptop', scope: 'mcp:read', days: 30, ...more });

/** Authenticates an MCP client with this token. A synchronous error becomes a rejection. */
export const ask = async (token: string) => authenticateMcp(`Bearer ${token}`);

/** All of an administrator's tokens. */
export const listAll = async (adminId: string): Promise<ApiToken[]> =>
  (await listApiTokens(adminId, { limit: 100 }, (await ownerOf(adminId)).epoch)).list;
