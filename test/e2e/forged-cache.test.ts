import '../support/environment.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endSession } from '#shared/auth/session.ts';
import { redis } from '#shared/cache/redis.ts';
import { type Functions, startFunctions } from '../support/functions.ts';
import { createRoleHolder } from '../support/role-holder.ts';

// Who can write to the cache, but knows no APP_KEY, gets no rights.

let functions: Functions;
beforeAll(async () => {
  functions = await startFunctions();
});
afterAll(() => functions?.stop());

const path = '/adminapi/system/role/list';
const ask = async (authorization: string) =>
  (await functions.call({ method: 'GET', path, headers: { authorization } })).status;

/** Changes the cached value of a key, and keeps everything else as it is. */
async function forge(key: string, change: (value: Record<string, unknown>) => object): Promise<void> {
  const entry = JSON.parse(String(await redis().get<string>(key)));
  await redis().set(key, JSON.stringify({ ...entry, value: change(entry.value) }), { ex: 60 });
}

describe('an administrator without rights', () => {
  it.each<[string, (value: Record<string, unknown>) => object]>([
    [
      'a super administrator',
      (value) => ({ ...value, principal: { ...Object(value.principal), super: true } }),
    ],
    [
      'a holder of the grant',
      (value) => ({ ...value, principal: { ...Object(value.principal), grants: ['system/role:read'] } }),
    ],
  ])('does not become %s by the cache', async (_name, change) => {
    const holder = await createRoleHolder([]);
    const authorization = await holder.logIn();
    expect(await ask(authorization)).toBe(403);
    await redis().ping();

    await forge(`service:principal:admin:${holder.id}`, change);

    expect(await ask(authorization)).toBe(403);
  });

  it('does not get an ended session back by the cache', async () => {
    const holder = await createRoleHolder([]);
    const authorization = await holder.logIn();
    expect(await ask(authorization)).toBe(403);
    await redis().ping();
    const keys = (await redis().scan('0', { match: 'service:session:*' }))[1];
    const cached = await Promise.all(keys.map((key) => redis().get<string>(key)));
    const [session] = cached.flatMap((cell) => {
      const { value } = JSON.parse(String(cell));
      return value?.principalId === holder.id ? [value] : [];
    });
    await endSession(session.id);
    expect(await ask(authorization)).toBe(401);
    await redis().set(`service:session-generation:${session.id}`, 'of-mine', { ex: 60 });
    await redis().set(
      `service:session:${session.id}`,
      JSON.stringify({ generation: 'of-mine', value: session }),
      { ex: 60 },
    );

    expect(await ask(authorization)).toBe(401);
  });

  it('does not get the record of another by the cache', async () => {
    const [holder, owner] = [await createRoleHolder([]), await createRoleHolder([], { isSuper: true })];
    const authorization = await holder.logIn();
    expect(await ask(authorization)).toBe(403);
    expect(await ask(await owner.logIn())).toBe(200);
    await redis().ping();
    for (const kind of ['principal', 'principal-generation']) {
      const cell = await redis().get<string>(`service:${kind}:admin:${owner.id}`);
      await redis().set(`service:${kind}:admin:${holder.id}`, String(cell), { ex: 60 });
    }

    expect(await ask(authorization)).toBe(403);
  });
});
