import '../support/environment.ts';
import { describe, expect, it } from '@jest/globals';
import { endSession } from '#shared/auth/session.ts';
import { redis } from '#shared/cache/redis.ts';
import type { Client } from '../support/client.ts';
import { useFunctions } from '../support/use-functions.ts';

// Who can write to the cache, but knows no APP_KEY, gets no rights.

const { addAdmin } = useFunctions();

const ask = async (caller: Client) => (await caller.get('/adminapi/system/role/list')).status;

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
    const { id, client } = await addAdmin();
    expect(await ask(client)).toBe(403);
    await redis().ping();

    await forge(`service:principal:admin:${id}`, change);

    expect(await ask(client)).toBe(403);
  });

  it('does not get an ended session back by the cache', async () => {
    const { id, client } = await addAdmin();
    expect(await ask(client)).toBe(403);
    await redis().ping();
    const keys = (await redis().scan('0', { match: 'service:session:*' }))[1];
    const cached = await Promise.all(keys.map((key) => redis().get<string>(key)));
    const [session] = cached.flatMap((cell) => {
      const { value } = JSON.parse(String(cell));
      return value?.principalId === id ? [value] : [];
    });
    await endSession(session.id);
    expect(await ask(client)).toBe(401);
    await redis().set(`service:session-generation:${session.id}`, 'of-mine', { ex: 60 });
    await redis().set(
      `service:session:${session.id}`,
      JSON.stringify({ generation: 'of-mine', value: session }),
      { ex: 60 },
    );

    expect(await ask(client)).toBe(401);
  });

  it('does not get the record of another by the cache', async () => {
    const [{ id, client }, owner] = [await addAdmin(), await addAdmin({ super: true })];
    expect(await ask(client)).toBe(403);
    expect(await ask(owner.client)).toBe(200);
    await redis().ping();
    for (const kind of ['principal', 'principal-generation']) {
      const cell = await redis().get<string>(`service:${kind}:admin:${owner.id}`);
      await redis().set(`service:${kind}:admin:${id}`, String(cell), { ex: 60 });
    }

    expect(await ask(client)).toBe(403);
  });
});
