import { describe, expect, test } from '@jest/globals';
import { getItems, transact } from '#shared/db/items.ts';
import { randomLetters } from '../../support/database.ts';

async function store(sks: readonly string[], attributes: Record<string, unknown> = {}, batchSize = 100) {
  const pk = `TEST#${randomLetters()}`;
  for (let at = 0; at < sks.length; at += batchSize) {
    const batch = sks.slice(at, at + batchSize);
    await transact(batch.map((sk) => ({ Put: { Item: { pk, sk, ...attributes } } })));
  }
  return pk;
}

/** Many items by key. */
export function describeBatchReads(): void {
  describe('batch reads', () => {
    test('reads more keys than one request takes, each once, and leaves out what does not exist', async () => {
      const stored = Array.from({ length: 230 }, (_, index) => `item-${index}`);
      const absent = Array.from({ length: 60 }, (_, index) => `none-${index}`);
      const pk = await store(stored);
      // Alternating, so that every request asks for some of both.
      const wanted = stored.flatMap((sk, index) => [sk, ...absent.slice(index, index + 1)]);

      const items = await getItems(wanted.map((sk) => ({ pk, sk })));

      expect(items.map((item) => item.sk).sort()).toEqual([...stored].sort());
    });

    test('reads nothing for no keys', async () => {
      expect(await getItems([])).toEqual([]);
    });

    test('asks again for what did not fit into one answer of 16 MB', async () => {
      const sks = Array.from({ length: 60 }, (_, index) => `large-${index}`);
      const pk = await store(sks, { text: 'x'.repeat(300_000) }, 10);

      const items = await getItems(sks.map((sk) => ({ pk, sk })));

      expect(items.map((item) => item.sk).sort()).toEqual([...sks].sort());
    });

    test('reports a repeated key as a defect of the request', async () => {
      const key = { pk: `TEST#${randomLetters()}`, sk: 'a' };

      const reading = getItems([key, key]);

      await expect(reading).rejects.toThrow('the database refused a request');
    });
  });
}
