import { createHmac, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { ulid } from 'ulid';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { loginAdmin } from '#modules/System/admins/admin-login.ts';
import {
  addAdmin,
  changeOwnPassword,
  editAdmin,
  getAdmin,
  setAdminPassword,
  setAdminRoles,
} from '#modules/System/admins/admins.ts';
import { revokeApiToken } from '#modules/System/admins/api-tokens.ts';
import { addRole } from '#modules/System/roles/roles.ts';
import { isEnded } from '#shared/auth/api-token.ts';
import { type ApiTokenRef, createApiToken } from '#shared/auth/api-token-text.ts';
import { authenticateMcp } from '#shared/auth/authenticate-mcp.ts';
import { signToken } from '#shared/auth/token.ts';
import { redis } from '#shared/cache/redis.ts';
import { updateItem } from '#shared/db/items.ts';
import { throughProxy } from '../../../contract/database/engine-proxy.ts';
import { inAnotherProcess, outcomesOf, useDatabase } from '../../../support/database.ts';
import { keys } from '../../../support/keys.ts';
import { ask, listAll, newAdmin, newToken } from './api-token-fixture.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');
afterEach(() => {
  jest.restoreAllMocks();
});

const hour = 3_600_000;
const setClock = (time: number) => jest.spyOn(Date, 'now').mockReturnValue(time);
const outcomeOf = async (token: string) => (await outcomesOf([ask(token)]))[0];
const newRole = async () => (await addRole({ name: 'r', grants: ['article:read'] })).id;
/** The token with another last character. */
const change = (token: string) => token.slice(0, -1) + (token.endsWith('A') ? 'E' : 'A');

/** A token that was made with another key. */
function createToken({ adminId, id }: ApiTokenRef, key: Buffer): string {
  const head = `mcp_${adminId}_${id}_`;
  const secret = randomBytes(16);
  const mac = createHmac('sha256', key).update(head).update(secret).digest();
  return head + Buffer.concat([secret, mac]).toString('base64url');
}

describe('an API token', () => {
  test.each(['mcp:read', 'mcp:write'] as const)(
    'stands for its administrator with the scope %s',
    async (scope) => {
      const adminId = await newAdmin();
      const { id: tokenId, token } = await newToken(adminId, { scope });

      const answers = [await ask(token), await ask(token)];

      const { id, account, super: isSuper, status, role_ids } = await getAdmin(adminId);
      const expected = {
        adminId,
        admin: { id, account, super: isSuper, status, role_ids, two_factor: false, grants: [] },
        scope,
        tokenId,
        sessionEpoch: 1,
      };
      expect(answers).toEqual([expected, expected]);
    },
  );

  test('is refused if any part of it is changed', async () => {
    const [adminId, other] = [await newAdmin(), await newAdmin()];
    const { id, token } = await newToken(adminId);
    const { id: otherId } = await newToken(other);
    await ask(token);

    const changed = [
      change(token),
      token.replace(adminId, other),
      token.replace(id, otherId),
      token.replace(adminId, other).replace(id, otherId),
      createApiToken({ adminId, id }),
      createApiToken({ adminId, id: ulid() }),
      createApiToken({ adminId: ulid(), id: ulid() }),
    ];

    expect(await Promise.all(changed.map(outcomeOf))).toEqual(changed.map(() => 'auth.token_invalid'));
  });

  test('is refused without a read if this service did not make it', async () => {
    const adminId = await newAdmin();
    const { id, token } = await newToken(adminId);
    const otherKey = createToken({ adminId, id }, randomBytes(32));

    const invented = [`mcp_${adminId}_${id}_${'A'.repeat(64)}`, `mcp_${ulid()}_${ulid()}_${'a'.repeat(64)}`];
    const changed = [change(token), token.replace(id, ulid()), token.replace(adminId, ulid()), otherKey];
    const respelled = [
      `${token}A`,
      `${token}=`,
      token.slice(0, -1),
      token.toLowerCase(),
      `mcp_${token}`,
      'mcp_',
    ];
    for (const bad of [...invented, ...changed, ...respelled]) {
      // A synchronous error means that nothing was read.
      const attempt = () => authenticateMcp(`Bearer ${bad}`);
      expect(attempt).toThrow(expect.objectContaining({ code: 'auth.token_invalid' }));
    }
  });

  test('is not cached if it is not in the table', async () => {
    const adminId = await newAdmin();
    const ref = { adminId, id: ulid() };

    const outcomes = [await outcomeOf(createApiToken(ref)), await outcomeOf(createApiToken(ref))];
    await redis().ping();

    expect(outcomes).toEqual(['auth.token_invalid', 'auth.token_invalid']);
    expect(await redis().get(`service:api-token:${adminId}:${ref.id}`)).toBeNull();
  });

  test('is valid as long as APP_KEY lists its key', async () => {
    const { token } = await newToken(await newAdmin());
    const { APP_KEY = '' } = process.env;
    const other = randomBytes(32).toString('hex');
    const readUnder = async (keys: string) => {
      let ref: unknown;
      await inAnotherProcess({ APP_KEY: keys }, async () => {
        ref = (await import('#shared/auth/api-token-text.ts')).readApiToken(token);
      });
      return ref;
    };

    expect(await readUnder(`${other},${APP_KEY}`)).toBeDefined();
    expect(await readUnder(other)).toBeUndefined();
  });

  test('is refused from its end on', async () => {
    const { token, expires_at } = await newToken(await newAdmin(), { days: 1 });

    setClock(Date.parse(expires_at) - 1);
    const before = await outcomeOf(token);
    setClock(Date.parse(expires_at));

    expect([before, await outcomeOf(token)]).toEqual(['done', 'auth.token_expired']);
  });

  test('is refused once it is revoked; its changed copies stay invalid', async () => {
    const adminId = await newAdmin();
    const { id, token } = await newToken(adminId);
    await ask(token);
    await ask(token);

    await revokeApiToken({ adminId, id });

    expect(await outcomeOf(token)).toBe('auth.token_revoked');
    expect(await outcomeOf(change(token))).toBe('auth.token_invalid');
  });

  test('that was kept ends with a reset, and is not kept by the next change', async () => {
    const adminId = await newAdmin();
    const { token } = await newToken(adminId);
    await changeOwnPassword(adminId, 'second password', 'correct horse battery', true);

    await setAdminPassword(adminId, 'third password');
    await changeOwnPassword(adminId, 'fourth password', 'third password', true);

    expect(await outcomeOf(token)).toBe('auth.token_revoked');
  });

  test('stays when its owner loses one of two roles, or gets a new name', async () => {
    const adminId = await newAdmin();
    const roles = [await newRole(), await newRole()];
    await setAdminRoles(adminId, roles);
    const { token } = await newToken(adminId);

    await setAdminRoles(adminId, roles.slice(1));
    await editAdmin(adminId, { name: 'x', status: 'enabled' });

    expect(await outcomeOf(token)).toBe('done');
  });

  test('of the time before tokens had an epoch is refused, also if a cache still holds it', async () => {
    const adminId = await newAdmin();
    const { id, token } = await newToken(adminId);
    const key = keys.apiToken(adminId, id);

    await updateItem({ Key: { ...key }, UpdateExpression: 'REMOVE epoch' });

    expect(await outcomeOf(token)).toBe('auth.token_revoked');
    // Caches hold rows as they were parsed before.
    expect(isEnded(JSON.parse('{}'), 1)).toBe(true);
  });
});

describe('the last use of an API token', () => {
  test('is written once an hour', async () => {
    const adminId = await newAdmin();
    const { token } = await newToken(adminId);
    const now = Date.now();
    const uses: (string | null | undefined)[] = [];
    for (const time of [now, now + hour - 1, now + hour]) {
      setClock(time);
      await ask(token);
      uses.push((await listAll(adminId))[0]?.last_used_at);
    }

    const [first, last] = [now, now + hour].map((time) => new Date(time).toISOString());
    expect(uses).toEqual([first, first, last]);
  });

  test('is written by the first of several requests', async () => {
    const { token } = await newToken(await newAdmin());
    const writes: string[] = [];

    await throughProxy(
      (operation) => {
        if (operation === 'UpdateItem') writes.push(operation);
        return 'pass';
      },
      async () => {
        const { authenticateMcp } = await import('#shared/auth/authenticate-mcp.ts');
        for (let count = 1; count <= 3; count += 1) await authenticateMcp(`Bearer ${token}`);
      },
    );

    expect(writes).toHaveLength(1);
  });

  test('is skipped if it cannot be written', async () => {
    const adminId = await newAdmin();
    const { token } = await newToken(adminId);
    const lines = jest.spyOn(console, 'warn').mockImplementation(() => {});
    let found: unknown;

    await throughProxy(
      (operation) => (operation === 'UpdateItem' ? 'cut' : 'pass'),
      async () => {
        const { authenticateMcp } = await import('#shared/auth/authenticate-mcp.ts');
        found = await authenticateMcp(`Bearer ${token}`);
      },
      { LOG_LEVEL: 'warn' },
    );

    expect(found).toMatchObject({ adminId });
    const logged = lines.mock.calls.flat().join('\n');
    expect(logged).toContain('api_token.touch_failed');
    expect(logged).not.toContain(token.slice(-64));
  });

  test('does not restore a removed token', async () => {
    const adminId = await newAdmin();
    const { id, token } = await newToken(adminId);
    await ask(token);
    setClock(Date.now() + 2 * hour);

    await revokeApiToken({ adminId, id });
    await outcomeOf(token);

    expect(await listAll(adminId)).toEqual([]);
  });
});

describe('a login', () => {
  test('may do everything', async () => {
    const account = `a${ulid().toLowerCase()}`;
    const { id } = await addAdmin({ account, name: 'x', password: 'correct horse battery' });
    const { token } = await loginAdmin(account, 'correct horse battery', '192.0.2.1');

    expect(await ask(token)).toMatchObject({ adminId: id, admin: { account }, scope: 'mcp:write' });
  });

  test.each([
    ['none at all', undefined, 'auth.token_missing'],
    ['another scheme', 'Basic abc', 'auth.token_invalid'],
    ['one that is forged', 'Bearer v1.a.b.c', 'auth.token_invalid'],
  ])('is needed: refuses %s at once', (_title, header, code) => {
    expect(() => authenticateMcp(header)).toThrow(expect.objectContaining({ code }));
  });

  test('of a user is refused', () => {
    const expiresAt = Date.now() / 1000 + 60;
    const token = signToken({ sessionId: 's', kind: 'user', principalId: 'u', expiresAt });

    expect(() => authenticateMcp(`Bearer ${token}`)).toThrow(
      expect.objectContaining({ code: 'auth.principal_mismatch' }),
    );
  });
});
