import { addAdmin, deleteAdmin, editAdmin, setAdminPassword } from '#modules/System/admins/admins.ts';
import { addApiToken, revokeApiToken } from '#modules/System/admins/api-tokens.ts';
import { approveConnection } from '#modules/System/oauth/connections.ts';
import { exchangeCode } from '#modules/System/oauth/tokens.ts';
import { createUser, createUserId } from '#modules/System/users/create-user.ts';
import { setUserStatus } from '#modules/UserCenter/users/edit-user.ts';
import type { ApiTokenScope } from '#shared/auth/api-token.ts';
import { createApiToken, hashApiToken, readApiToken } from '#shared/auth/api-token-text.ts';
import { endSession } from '#shared/auth/session.ts';
import type { PrincipalKind } from '#shared/auth/token.ts';
import { signToken, verifyToken } from '#shared/auth/token.ts';
import { updateItem } from '#shared/db/items.ts';
import { keys } from '../../support/keys.ts';
import { createPkce } from '../../support/oauth.ts';
import { ownerOf } from '../../support/token-owner.ts';
import { openSession } from '../world/principals.ts';

let accounts = 0;

/** A new super administrator or user. */
async function create(kind: PrincipalKind): Promise<string> {
  return kind === 'user' ? (await createUser({ id: createUserId(), terminal: 3 })).id : createAdmin(true);
}

async function createAdmin(isSuper: boolean): Promise<string> {
  accounts += 1;
  const account = `caller${accounts}`;
  return (await addAdmin({ account, name: 'Caller', password: 'correct horse', isSuper })).id;
}

const bearer = (token: string): string => `Bearer ${token}`;

/** The token of a new principal's login. */
const logIn = async (kind: PrincipalKind): Promise<string> => openSession(kind, await create(kind));

async function expired(kind: PrincipalKind): Promise<string> {
  const payload = verifyToken(await logIn(kind));
  return bearer(signToken({ ...payload, expiresAt: Math.floor(Date.now() / 1000) - 1 }));
}

async function revoked(kind: PrincipalKind): Promise<string> {
  const token = await logIn(kind);
  await endSession(verifyToken(token).sessionId);
  return bearer(token);
}

async function disabled(kind: PrincipalKind): Promise<string> {
  const token = await logIn(kind);
  const { principalId } = verifyToken(token);
  if (kind === 'user') await setUserStatus(principalId, 'disabled');
  else await editAdmin(principalId, { status: 'disabled' });
  return bearer(token);
}

async function deleted(): Promise<string> {
  const token = await logIn('admin');
  await deleteAdmin(verifyToken(token).principalId);
  return bearer(token);
}

async function forged(change: (parts: string[]) => void): Promise<string> {
  const parts = (await logIn('admin')).split('.');
  change(parts);
  return bearer(parts.join('.'));
}

const flip = (text = ''): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);

async function apiToken(scope: ApiTokenScope, adminId?: string): Promise<string> {
  const holder = adminId ?? (await create('admin'));
  return (await addApiToken(await ownerOf(holder), { name: 'caller', scope, days: 1 })).token;
}

async function apiTokenThat(
  change: (place: { adminId: string; id: string }) => Promise<unknown>,
): Promise<string> {
  const token = await apiToken('mcp:write');
  const place = readApiToken(token);
  if (!place) throw new Error('an API token cannot be read');
  await change(place);
  return bearer(token);
}

/** What is past its end lies a day behind. */
const expireApiToken = ({ adminId, id }: { adminId: string; id: string }) =>
  updateItem({
    Key: { ...keys.apiToken(adminId, id) },
    UpdateExpression: 'SET expires_at = :end',
    ExpressionAttributeValues: { ':end': new Date(Date.now() - 86_400_000).toISOString() },
  });

const redirectUri = 'https://app.example/callback';

/** A new connection by OAuth: its code, before and after the exchange, and its tokens. */
async function connect() {
  const adminId = await create('admin');
  const [client, { verifier, challenge }] = ['https://app.example/client.json', createPkce()];
  const verified = {
    client: { id: client, name: 'Caller', host: 'app.example', redirectUris: [redirectUri] },
    redirectUri,
  };
  const code = await approveConnection({ id: adminId, epoch: 1 }, verified, {
    scopes: ['mcp:read', 'mcp:write'],
    challenge,
  });
  const form = { client_id: client, code, redirect_uri: redirectUri, code_verifier: verifier };
  return { adminId, code, exchange: () => exchangeCode(form) };
}

type Tokens = Awaited<ReturnType<typeof exchangeCode>>;
type Place = { adminId: string; id: string };

/** An access token after a change of its connection. */
async function accessThat(change: (place: Place, tokens: Tokens) => Promise<unknown> = async () => {}) {
  const tokens = await (await connect()).exchange();
  const place = readApiToken(tokens.access_token);
  if (!place) throw new Error('an access token cannot be read');
  await change(place, tokens);
  return bearer(tokens.access_token);
}

/** Changes an attribute of a connection in the table. */
const setAttribute =
  (name: string, value: unknown) =>
  ({ adminId, id }: Place) =>
    updateItem({
      Key: { ...keys.apiToken(adminId, id) },
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    });

const expireAccess = (place: Place, { access_token }: Tokens) => {
  const expires_at = new Date(Date.now() - 86_400_000).toISOString();
  return setAttribute('access', [{ hash: hashApiToken(access_token), scope: 'mcp:write', expires_at }])(
    place,
  );
};

/** All kinds of callers, with the `authorization` header that they send, of a new login each time. */
export const callers = {
  'no token': async () => undefined,
  'no bearer': async () => 'Basic cm9vdDpyb290',
  'a broken token': async () => bearer('v1.nonsense'),
  'a forged signature': () => forged((parts) => parts.splice(3, 1, flip(parts[3]))),
  'a changed payload': () => forged((parts) => parts.splice(2, 1, flip(parts[2]))),
  'an expired administrator': () => expired('admin'),
  'an expired user': () => expired('user'),
  'a revoked administrator': () => revoked('admin'),
  'a revoked user': () => revoked('user'),
  'a disabled administrator': () => disabled('admin'),
  'a disabled user': () => disabled('user'),
  'a deleted administrator': deleted,
  'a super administrator': async () => bearer(await logIn('admin')),
  'an administrator without roles': async () => bearer(await openSession('admin', await createAdmin(false))),
  'a user': async () => bearer(await logIn('user')),
  'an API token for reading': async () => bearer(await apiToken('mcp:read')),
  'an API token for all': async () => bearer(await apiToken('mcp:write')),
  'an API token of the admin API for reading': async () => bearer(await apiToken('api:read')),
  'an API token of the admin API': async () => bearer(await apiToken('api:write')),
  'a revoked API token': () => apiTokenThat(revokeApiToken),
  'an expired API token': () => apiTokenThat(expireApiToken),
  'an invented API token': async () =>
    bearer(createApiToken({ adminId: await create('admin'), id: createUserId() })),
  'an API token of a disabled administrator': () =>
    apiTokenThat(({ adminId }) => editAdmin(adminId, { status: 'disabled' })),
  'an OAuth access token': () => accessThat(),
  'an OAuth access token for another resource': () =>
    accessThat(setAttribute('resource', 'https://other.example/mcp/service')),
  'an expired OAuth access token': () => accessThat(expireAccess),
  'an OAuth access token of a revoked connection': () => accessThat(revokeApiToken),
  'an OAuth access token of a disabled administrator': () =>
    accessThat(({ adminId }) => editAdmin(adminId, { status: 'disabled' })),
  'an OAuth access token from before a change of the password': () =>
    accessThat(({ adminId }) => setAdminPassword(adminId, 'another horse')),
  'an OAuth refresh token': async () => bearer((await (await connect()).exchange()).refresh_token),
  'an OAuth code': async () => bearer((await connect()).code),
} as const satisfies Record<string, () => Promise<string | undefined>>;

export type CallerName = keyof typeof callers;
export const callerNames = Object.keys(callers) as CallerName[];
