import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { ulid } from 'ulid';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { apiTokenLimit, listApiTokens, revokeApiToken } from '#modules/System/admins/api-tokens.ts';
import { queryPartition } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { outcomesOf, tally, useDatabase } from '../../../support/database.ts';
import { keys } from '../../../support/keys.ts';
import { ask, listAll, newAdmin, newToken } from './api-token-fixture.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');
afterEach(() => {
  jest.restoreAllMocks();
});

const day = 86_400_000;
/** Stops the clock at a time. */
const setClock = (time: number) => jest.spyOn(Date, 'now').mockReturnValue(time);

describe('a new API token', () => {
  test('is shown once, with a prefix for secret scanners, and ends after its days', async () => {
    const now = Date.now();
    setClock(now);
    const adminId = await newAdmin();

    const { id, token, expires_at } = await newToken(adminId, { days: 365 });

    expect(token).toMatch(new RegExp(`^mcp_${adminId}_${id}_[\\w-]{64}$`));
    expect(expires_at).toBe(new Date(now + 365 * day).toISOString());
  });

  test('is listed with its fields', async () => {
    const adminId = await newAdmin();

    const { id, expires_at } = await newToken(adminId, { name: '桌面', scope: 'mcp:write' });

    expect(await listAll(adminId)).toEqual([
      {
        id,
        kind: 'token',
        name: '桌面',
        scope: 'mcp:write',
        expires_at,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        last_used_at: null,
      },
    ]);
  });

  test('is deleted from the table some days after its end', async () => {
    const adminId = await newAdmin();

    const { expires_at } = await newToken(adminId);

    const [, item] = await queryPartition(keys.apiTokens(adminId));
    expect(item?.[ttlAttribute]).toBe(Math.floor((Date.parse(expires_at) + 7 * day) / 1000));
  });
});

describe('the tokens of an administrator', () => {
  test('are listed newest first, in pages, only to their administrator', async () => {
    const [adminId, other] = [await newAdmin(), await newAdmin()];
    const ids = [];
    for (const name of ['a', 'b', 'c']) ids.unshift((await newToken(adminId, { name })).id);
    await newToken(other);

    const first = await listApiTokens(adminId, { limit: 2 }, 1);
    const cursor = first.next_cursor ?? '';
    const second = await listApiTokens(adminId, { limit: 2, cursor }, 1);

    expect([...first.list, ...second.list].map(({ id }) => id)).toEqual(ids);
    expect(second.next_cursor).toBeNull();
    await expect(listApiTokens(other, { limit: 2, cursor }, 1)).rejects.toMatchObject({
      code: 'request.invalid',
    });
  });

  test('are limited, also if several are created at the same time', async () => {
    const adminId = await newAdmin();
    for (let count = 1; count < apiTokenLimit; count += 1) await newToken(adminId);

    const outcomes = await outcomesOf(Array.from({ length: 4 }, () => newToken(adminId)));

    expect(tally(outcomes)).toEqual({ done: 1, 'request.invalid': 3 });
    expect(await listAll(adminId)).toHaveLength(apiTokenLimit);
  });

  test('make room if they are revoked or expired', async () => {
    const adminId = await newAdmin();
    const { id } = await newToken(adminId, { days: 2 });
    for (let count = 1; count < apiTokenLimit; count += 1) await newToken(adminId, { days: 1 });
    const attempt = async () => (await outcomesOf([newToken(adminId, { days: 9 })]))[0];

    const full = await attempt();
    await revokeApiToken({ adminId, id });
    const [roomy, fullAgain] = [await attempt(), await attempt()];
    setClock(Date.now() + 1.5 * day);
    const later = await attempt();

    expect([full, roomy, fullAgain, later]).toEqual(['request.invalid', 'done', 'request.invalid', 'done']);
  });
});

describe('revoking', () => {
  test("works only for the caller's own tokens", async () => {
    const [adminId, other] = [await newAdmin(), await newAdmin()];
    const { id, token } = await newToken(adminId);

    await revokeApiToken({ adminId: other, id });

    expect(await ask(token)).toMatchObject({ adminId });
    expect(await queryPartition(keys.apiTokens(other))).toEqual([]);
  });

  test('of an unknown token does nothing', async () => {
    const adminId = await newAdmin();

    await revokeApiToken({ adminId, id: ulid() });

    expect(await queryPartition(keys.apiTokens(adminId))).toEqual([]);
  });
});
