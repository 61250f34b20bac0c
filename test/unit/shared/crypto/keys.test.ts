import { randomBytes } from 'node:crypto';
import '../../../support/environment.ts';
import { describe, expect, jest, test } from '@jest/globals';

const keyA = randomBytes(32).toString('hex');
const keyB = randomBytes(32).toString('hex');

/** The module in a process with these keys. */
async function loadWith(appKey: string): Promise<typeof import('#shared/crypto/keys.ts')> {
  process.env.APP_KEY = appKey;
  jest.resetModules();
  return import('#shared/crypto/keys.ts');
}

describe('deriveKeys', () => {
  test('derives one key of 32 bytes for each entry, in their order', async () => {
    const both = (await loadWith(`${keyA}, ${keyB}`)).deriveKeys('token');
    const [onlyB] = (await loadWith(keyB)).deriveKeys('token');

    expect(both).toHaveLength(2);
    expect(both.map(({ secret }) => secret.symmetricKeySize)).toEqual([32, 32]);
    expect(both[1]?.secret.equals(onlyB.secret)).toBe(true);
  });

  test('derives the same key in every process', async () => {
    const [first] = (await loadWith(keyA)).deriveKeys('token');
    const [second] = (await loadWith(keyA)).deriveKeys('token');

    expect(second.id).toBe(first.id);
    expect(second.secret.equals(first.secret)).toBe(true);
  });

  test('derives another key for another purpose', async () => {
    const { deriveKeys } = await loadWith(keyA);

    const [token] = deriveKeys('token');
    const [cursor] = deriveKeys('cursor');

    expect(token.secret.equals(cursor.secret)).toBe(false);
    expect(token.id).not.toBe(cursor.id);
  });

  test('gives a key an ID of eight characters that are valid in a token', async () => {
    const [{ id }] = (await loadWith(keyA)).deriveKeys('token');

    expect(id).toMatch(/^[\w-]{8}$/);
  });

  test('reveals nothing of APP_KEY', async () => {
    const [{ id, secret }] = (await loadWith(keyA)).deriveKeys('token');

    expect(secret.export().toString('hex')).not.toBe(keyA);
    expect(keyA).not.toContain(id);
  });
});
