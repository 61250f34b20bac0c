import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { setAdminPassword } from '#modules/System/admins/admins.ts';
import { apiTokenLimit, revokeApiToken } from '#modules/System/admins/api-tokens.ts';
import { approveConnection, revokeClient, revokeConnection } from '#modules/System/oauth/connections.ts';
import { addClient, deleteClient } from '#modules/System/oauth/register-clients.ts';
import type { TokenAnswer } from '#modules/System/oauth/schema.ts';
import { exchangeCode, refreshTokens } from '#modules/System/oauth/tokens.ts';
import { apiTokenEntity } from '#shared/auth/api-token.ts';
import { readApiToken } from '#shared/auth/api-token-text.ts';
import { authenticateMcp } from '#shared/auth/authenticate-mcp.ts';
import { transact } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { outcomesOf, useDatabase } from '../../../../support/database.ts';
import { createPkce } from '../../../../support/oauth.ts';
import { ownerOf } from '../../../../support/token-owner.ts';
import { listAll, newAdmin, newToken } from '../../../shared/auth/api-token-fixture.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');
afterEach(() => {
  jest.restoreAllMocks();
});

const resource = 'http://localhost:3000/mcp/service';
const redirectUri = 'https://app.example/callback';
const refused = 'oauth.invalid_grant';
const reused = 'oauth.token_reused';
const second = 1000;
const day = 86_400 * second;

const passTime = (milliseconds: number) => {
  const now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now + milliseconds);
};
/** How a call of MCP with a token ends: `done`, or the code of its refusal. */
const use = async (token: string, called = resource) => {
  const [outcome] = await outcomesOf([(async () => authenticateMcp(`Bearer ${token}`, called))()]);
  return outcome;
};

async function newClient(name = 'Desk client') {
  const { id } = await addClient({ name, redirect_uris: [redirectUri] });
  return { id, name, host: null, redirectUris: [redirectUri] };
}

interface Approval {
  adminId?: string;
  client?: Awaited<ReturnType<typeof newClient>>;
  scopes?: ('mcp:read' | 'mcp:write')[];
  locale?: Locale;
  /** @default that of a new administrator */
  epoch?: number;
}

/** The consent of an administrator, and the form that exchanges its code. */
async function approve(given: Approval = {}) {
  const { scopes = ['mcp:read', 'mcp:write'], locale, epoch = 1 } = given;
  const [adminId, client] = [given.adminId ?? (await newAdmin()), given.client ?? (await newClient())];
  const { verifier, challenge } = createPkce();
  const verified = { client, redirectUri };
  const code = await approveConnection({ id: adminId, epoch, ...(locale && { locale }) }, verified, {
    scopes,
    challenge,
  });
  const form = { code, client_id: client.id, redirect_uri: redirectUri, code_verifier: verifier };
  return { adminId, client, code, form };
}

async function connect(given: Approval = {}) {
  const { adminId, client, form } = await approve(given);
  const tokens = await exchangeCode(form);
  const refresh = (token = tokens.refresh_token, more = {}) =>
    refreshTokens({ refresh_token: token, client_id: client.id, ...more });
  return { adminId, client, form, tokens, refresh };
}

const outcomeOf = async (work: Promise<unknown>) => (await outcomesOf([work]))[0];

describe('a code', () => {
  test.each([
    ['another verifier', { code_verifier: createPkce().verifier }, refused],
    ['no verifier', { code_verifier: undefined }, 'oauth.invalid_request'],
    ['another redirect URI', { redirect_uri: `${redirectUri}/` }, refused],
    ['no redirect URI', { redirect_uri: undefined }, 'oauth.invalid_request'],
    ['an unknown client', { client_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, refused],
    ['another client', { client_id: 'https://other.example/client.json' }, refused],
    ['no client', { client_id: undefined }, 'oauth.invalid_request'],
    ['another resource', { resource: `${resource}/` }, 'oauth.invalid_target'],
    ['an invented code', { code: 'mcpc_x' }, refused],
    ['no code', { code: undefined }, 'oauth.invalid_request'],
  ])('is refused with %s, and stays valid', async (_title, change, code) => {
    const { form } = await approve();

    expect(await outcomeOf(exchangeCode({ ...form, ...change }))).toBe(code);
    expect(await outcomeOf(exchangeCode({ ...form, resource }))).toBe('done');
  });

  test('is refused after 60 seconds', async () => {
    const { form } = await approve();
    passTime(60 * second);

    expect(await outcomeOf(exchangeCode(form))).toBe(refused);
  });

  test('that is used again ends its tokens', async () => {
    const { form, tokens, refresh } = await connect();
    const later = await refresh();

    expect(await outcomeOf(exchangeCode(form))).toBe(reused);
    for (const token of [tokens.access_token, later.access_token]) {
      expect(await use(token)).toBe('auth.token_revoked');
    }
    expect(await outcomeOf(refresh(later.refresh_token))).toBe(refused);
  });

  test('that is used ten times at once gives tokens once, and they end', async () => {
    const { form } = await approve();

    const results = await Promise.allSettled(Array.from({ length: 10 }, () => exchangeCode(form)));

    const won = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(won).toHaveLength(1);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: reused } });
    expect(await use(won[0]?.access_token ?? '')).toBe('auth.token_revoked');
  });

  test('is no bearer token, and neither is a refresh token', async () => {
    const { code } = await approve();
    const { tokens } = await connect();

    for (const token of [code, tokens.refresh_token]) expect(await use(token)).toBe('auth.token_invalid');
    expect(readApiToken(tokens.refresh_token)).toBeUndefined();
  });

  test('of a consent that was revoked meanwhile is refused', async () => {
    const { client, form } = await approve();

    await revokeClient(client.id);

    expect(await outcomeOf(exchangeCode(form))).toBe(refused);
  });
});

describe('an access token', () => {
  test('speaks the language of the consent, also after a refresh', async () => {
    const languageOf = async (token: string) =>
      (await authenticateMcp(`Bearer ${token}`, resource)).ownLocale;
    const { tokens, refresh } = await connect({ locale: 'en' });
    const refreshed = await refresh();
    const unnamed = await connect();

    expect(await languageOf(tokens.access_token)).toBe('en');
    expect(await languageOf(refreshed.access_token)).toBe('en');
    expect(await languageOf(unnamed.tokens.access_token)).toBeUndefined();
  });

  test('ends after an hour', async () => {
    const { tokens } = await connect();
    passTime(3600 * second);

    expect(await use(tokens.access_token)).toBe('auth.token_expired');
  });

  test.each(['http://localhost:3000/mcp/other', 'https://other.example/mcp/service', ''])(
    'is refused at %j',
    async (called) => {
      const { tokens } = await connect();

      expect(await use(tokens.access_token, called)).toBe('auth.token_invalid');
      expect(await use(tokens.access_token)).toBe('done');
    },
  );

  test('stays valid when it was refreshed once, but no more when it was refreshed twice', async () => {
    const { tokens, refresh } = await connect();
    const next = await refresh();
    const before = await use(tokens.access_token);
    await refresh(next.refresh_token);

    expect([before, await use(tokens.access_token)]).toEqual(['done', 'auth.token_invalid']);
  });
});

describe('a refresh token', () => {
  test('gives new tokens, again and again', async () => {
    const { tokens, refresh } = await connect();
    let latest: TokenAnswer = tokens;
    const seen = new Set<string>();
    for (let count = 0; count < 4; count += 1) {
      latest = await refresh(latest.refresh_token);
      seen.add(latest.refresh_token).add(latest.access_token);
    }

    expect(await use(latest.access_token)).toBe('done');
    expect(seen.size).toBe(8);
  });

  test('that is used again ends its family, the newest tokens too', async () => {
    const { tokens, refresh } = await connect();
    const next = await refresh();
    const newest = await refresh(next.refresh_token);

    expect(await outcomeOf(refresh(tokens.refresh_token))).toBe(reused);
    expect(await use(newest.access_token)).toBe('auth.token_revoked');
    expect(await outcomeOf(refresh(newest.refresh_token))).toBe(refused);
  });

  test('that is used ten times at once gives tokens once, and its family ends', async () => {
    const { refresh, adminId } = await connect();

    const outcomes = await outcomesOf(Array.from({ length: 10 }, () => refresh()));

    expect(outcomes.filter((each) => each === 'done')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(
      new Set(['done', reused, ...outcomes.filter((each) => each === refused)]),
    );
    expect(await listAll(adminId)).toEqual([]);
  });

  test('lasts 30 days, and each use begins them again', async () => {
    const { tokens, refresh } = await connect();
    passTime(30 * day - second);
    const next = await refresh();
    passTime(30 * day);

    expect(await outcomeOf(refresh(next.refresh_token))).toBe(refused);
    expect(await outcomeOf(refresh(tokens.refresh_token))).toBe(reused);
  });

  test('ends 180 days after the consent, however often it is used', async () => {
    const { tokens, refresh, adminId } = await connect();
    const consentedAt = Date.now();
    let latest: TokenAnswer = tokens;
    const clock = jest.spyOn(Date, 'now');
    const passTo = (age: number) => clock.mockReturnValue(consentedAt + age);
    for (let age = 20 * day; age < 180 * day; age += 20 * day) {
      passTo(age);
      latest = await refresh(latest.refresh_token);
      const [{ expires_at = '' } = {}] = await listAll(adminId);
      expect(Date.parse(expires_at)).toBeLessThanOrEqual(consentedAt + Math.min(age + 30 * day, 180 * day));
    }
    passTo(180 * day - 600 * second);
    latest = await refresh(latest.refresh_token);
    expect(latest.expires_in).toBeLessThanOrEqual(600);
    expect(await use(latest.access_token)).toBe('done');

    passTo(180 * day);

    expect(await use(latest.access_token)).toBe('auth.token_expired');
    expect(await outcomeOf(refresh(latest.refresh_token))).toBe(refused);
  });

  test('of a connection that is too old is refused, also if its stored end is later', async () => {
    const { tokens, refresh, adminId } = await connect();
    const [{ id = '' } = {}] = await listAll(adminId);
    const created_at = new Date(Date.now() - 180 * day).toISOString();
    await transact([changeItem(apiTokenEntity.key({ adminId, id }), { set: { created_at } })]);

    expect(await outcomeOf(refresh(tokens.refresh_token))).toBe(refused);
  });

  test.each([
    ['an unknown client', { client_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, refused],
    ['another client', { client_id: 'https://other.example/client.json' }, refused],
    ['another resource', { resource: 'https://other.example/mcp/service' }, 'oauth.invalid_target'],
    ['more scope', { scope: 'mcp:read mcp:write' }, 'oauth.invalid_scope'],
    ['an unknown scope', { scope: 'admin' }, 'oauth.invalid_scope'],
    ['an access token', undefined, refused],
  ])('is refused with %s, and stays valid', async (_title, change, code) => {
    const { tokens, refresh } = await connect({ scopes: ['mcp:read'] });
    const sent = change ? tokens.refresh_token : tokens.access_token;

    expect(await outcomeOf(refresh(sent, change))).toBe(code);
    expect(await outcomeOf(refresh())).toBe('done');
  });

  test('gives a token of less scope without loss of the rest', async () => {
    const { tokens, refresh } = await connect();
    const narrow = await refresh(tokens.refresh_token, { scope: 'mcp:read' });
    const principal = await authenticateMcp(`Bearer ${narrow.access_token}`, resource);
    const whole = await refresh(narrow.refresh_token);

    expect([narrow.scope, principal.scope, whole.scope]).toEqual([
      'mcp:read',
      'mcp:read',
      'mcp:read mcp:write',
    ]);
  });
});

describe('a connection', () => {
  test('is one line in the list of tokens, without a secret, once its code was used', async () => {
    const { adminId, client, form } = await approve();
    const before = await listAll(adminId);
    await exchangeCode(form);

    const listed = await listAll(adminId);

    expect(before).toEqual([]);
    expect(listed).toEqual([
      {
        ...{ id: expect.any(String), kind: 'oauth', name: 'Desk client', client: client.id },
        ...{ scope: 'mcp:write', last_used_at: null },
        ...{ created_at: expect.any(String), expires_at: expect.any(String) },
      },
    ]);
  });

  test('ends in both tokens when it is revoked in the list', async () => {
    const { adminId, tokens, refresh } = await connect();
    const [{ id = '' } = {}] = await listAll(adminId);

    await revokeApiToken({ adminId, id });

    expect(await use(tokens.access_token)).toBe('auth.token_revoked');
    expect(await outcomeOf(refresh())).toBe(refused);
  });

  test.each(['access_token', 'refresh_token'] as const)(
    'ends when its client revokes the %s',
    async (name) => {
      const { client, tokens, refresh } = await connect();

      await revokeConnection({ token: tokens[name], client_id: client.id });
      await revokeConnection({ token: tokens[name], client_id: client.id });

      expect(await use(tokens.access_token)).toBe('auth.token_revoked');
      expect(await outcomeOf(refresh())).toBe(refused);
    },
  );

  test('does not end when another client revokes its token', async () => {
    const { tokens } = await connect();

    const outcome = await outcomeOf(revokeConnection({ token: tokens.access_token, client_id: 'other' }));

    expect([outcome, await use(tokens.access_token)]).toEqual(['oauth.invalid_client', 'done']);
  });

  test('cannot be used to revoke API tokens; unknown tokens change nothing', async () => {
    const adminId = await newAdmin();
    const { token } = await newToken(adminId);

    for (const each of [token, 'x', 'mcp_x']) await revokeConnection({ token: each, client_id: 'other' });

    expect(await use(token)).toBe('done');
  });

  test('ends with all others of its client, and no others', async () => {
    const client = await newClient();
    const [one, two, other] = [await connect({ client }), await connect({ client }), await connect()];

    await revokeClient(client.id);
    await revokeClient(client.id);

    const outcomes = await Promise.all([one, two, other].map(({ tokens }) => use(tokens.access_token)));
    expect(outcomes).toEqual(['auth.token_revoked', 'auth.token_revoked', 'done']);
  });

  test('gets no more tokens once its client is deleted', async () => {
    const client = await newClient();
    const [{ refresh }, { form }] = [await connect({ client }), await approve({ client })];

    await deleteClient(client.id);

    expect(await outcomeOf(refresh())).toBe(refused);
    expect(await outcomeOf(exchangeCode(form))).toBe(refused);
    expect(await outcomeOf(approve({ client }))).toBe('oauth.client_not_found');
  });

  test('ends when the password changes, as do codes and API tokens', async () => {
    const adminId = await newAdmin();
    const { tokens, refresh } = await connect({ adminId });
    const { form } = await approve({ adminId });
    const { token } = await newToken(adminId);

    await setAdminPassword(adminId, 'another correct horse');

    expect([await use(tokens.access_token), await use(token)]).toEqual(Array(2).fill('auth.token_revoked'));
    expect(await outcomesOf([refresh(), exchangeCode(form)])).toEqual([refused, refused]);
  });

  test('counts as a token of its administrator until it ends', async () => {
    const adminId = await newAdmin();
    const client = await newClient();
    for (let count = 0; count < apiTokenLimit; count += 1) await connect({ adminId, client });

    expect(await outcomeOf(approve({ adminId, client }))).toBe('request.invalid');
    await setAdminPassword(adminId, 'another correct horse');
    const { epoch } = await ownerOf(adminId);
    expect(await outcomeOf(approve({ adminId, client, epoch }))).toBe('done');
  });

  test('leaves no token, code or verifier in its record', async () => {
    const { getItem } = await import('#shared/db/items.ts');
    const { keys } = await import('../../../../support/keys.ts');
    const { form, tokens } = await connect();
    const { adminId, id } = readApiToken(tokens.access_token) ?? { adminId: '', id: '' };

    const item = JSON.stringify(await getItem(keys.apiToken(adminId, id)));

    for (const text of [form.code, form.code_verifier, tokens.access_token, tokens.refresh_token]) {
      expect(item).not.toContain(text);
    }
  });
});
