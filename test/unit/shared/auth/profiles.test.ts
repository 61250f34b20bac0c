import '../../../support/environment.ts';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import type { createProfiles } from '#shared/auth/profiles.ts';
import { type PrincipalKind, signToken } from '#shared/auth/token.ts';
import { AppError } from '#shared/errors/app-error.ts';

const stored = new Map<string, object>();
jest.mock('#shared/db/entity.ts', () => {
  const actual = jest.requireActual<typeof import('#shared/db/entity.ts')>('#shared/db/entity.ts');
  const findRow: typeof actual.findRow = async (entity, id) => {
    const item = stored.get(entity.key(id).pk);
    return item && actual.toRow(entity, { ...item });
  };
  return { ...actual, findRow };
});
jest.mock('#shared/cache/redis.ts', () => ({
  redis: () => ({ mget: async () => Promise.reject(new Error('away')) }),
}));

type Profiles = typeof import('#shared/auth/profiles.ts');
let requireProfile: Profiles['requireProfile'];
let keeper: ReturnType<typeof createProfiles<{ id: string; title: string }>>;

beforeAll(async () => {
  const profiles = await import('#shared/auth/profiles.ts');
  requireProfile = profiles.requireProfile;
  keeper = profiles.createProfiles('admin', {
    row: z.object({ id: z.string(), title: z.string() }),
    key: ({ id }: { id: string }) => ({ pk: `KEEPER#${id}`, sk: `KEEPER#${id}` }),
    missing: () => new AppError('internal'),
  });
});

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const read = (principalId: string, kind: PrincipalKind = 'admin', seconds = 60) => {
  const token = signToken({ sessionId: 's', kind, principalId, expiresAt: inSeconds(seconds) });
  return keeper.readOwn({ event: { headers: { authorization: `Bearer ${token}` } } });
};

describe('the profile of a caller', () => {
  stored.set('KEEPER#a', { id: 'a', title: 'First', password_hash: 'hidden' });

  test('has the fields of its module, and no other attribute of the record', async () => {
    expect(await read('a')).toEqual({ id: 'a', title: 'First' });
  });

  test.each([
    ['a record that does not exist', () => read('b')],
    ['a token of the other kind', () => read('a', 'user')],
    ['a token that has expired', () => read('a', 'admin', -1)],
    ['no token', () => keeper.readOwn({ event: { headers: {} } })],
    ['a forged token', () => keeper.readOwn({ event: { headers: { authorization: 'Bearer v1.a.b.c' } } })],
  ])('is null for %s', async (_, ask) => {
    expect(await ask()).toBeNull();
  });

  test('gives way to what the gate has read', () => {
    expect(requireProfile({ id: 'a', title: 'First', status: 'enabled' }, { status: 'disabled' })).toEqual({
      id: 'a',
      title: 'First',
      status: 'disabled',
    });
  });

  test('is refused if the principal was deleted meanwhile', () => {
    expect(() => requireProfile(null, { id: 'a' })).toThrow('auth.principal_disabled');
  });
});
