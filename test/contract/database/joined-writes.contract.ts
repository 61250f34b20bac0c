import { describe, expect, test } from '@jest/globals';
import { deleteItem, getItem, queryPartition, transact, updateItem, type Write } from '#shared/db/items.ts';
import { type Join, joinWrite, withoutJoin } from '#shared/db/joined-writes.ts';
import { redeemTokens } from '#shared/db/single-use.ts';
import { transactionLimit } from '#shared/db/write.ts';
import { changeItem, putItem, putNew } from '#shared/db/writes.ts';
import { importDictItems } from '#shared/dict/import.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { outcomesOf, randomLetters } from '../../support/database.ts';
import { createTypeWith } from './dictionary-fixture.ts';
import { throughProxy } from './engine-proxy.ts';

const newPk = () => `TEST#${randomLetters()}`;
const note = (pk: string, sk: string) => ({ pk, sk });

/** A join of one item, which lies at `sk` with the number of its transaction, with what happened to it. */
function createJoin(pk: string) {
  const seen: (readonly Write[])[] = [];
  let written = 0;
  const join: Join = {
    async create(writes) {
      seen.push(writes);
      return [putItem({ ...note(pk, `record ${seen.length}`), writes: writes.length })];
    },
    onWritten: () => {
      written += 1;
    },
  };
  return { join, seen, written: () => written };
}

const sortKeys = async (pk: string) => (await queryPartition(pk)).map(({ sk }) => sk);

/** Writes that another write takes along. */
export function describeJoinedWrites(): void {
  describe('a joined write', () => {
    test.each([
      ['a transaction', (pk: string) => transact([putNew(note(pk, 'a')), putNew(note(pk, 'b'))]), ['a', 'b']],
      ['an update', (pk: string) => updateItem(changeItem(note(pk, 'a'), { set: { x: 1 } }).Update), ['a']],
      ['a deletion', (pk: string) => deleteItem(note(pk, 'a')), []],
    ])('is written with %s, once', async (_name, write, written) => {
      const [pk, record] = [newPk(), newPk()];
      const { join, seen, written: count } = createJoin(record);

      await joinWrite(join, async () => {
        await write(pk);
        await transact([putItem(note(pk, 'later'))]);
      });

      expect(await sortKeys(pk)).toEqual([...written, 'later']);
      expect(await sortKeys(record)).toEqual(['record 1']);
      expect([seen.length, count()]).toEqual([1, 1]);
    });

    test('is not written if the first write is refused, and goes with the next one', async () => {
      const [pk, record] = [newPk(), newPk()];
      const { join, written } = createJoin(record);
      await transact([putNew(note(pk, 'taken'))]);

      await joinWrite(join, async () => {
        const taken = new AppError('version_conflict');
        const refused = [
          transact([putNew(note(pk, 'free')), putNew(note(pk, 'taken'), () => taken)]),
          updateItem(changeItem(note(pk, 'none'), { set: { x: 1 }, expect: {} }).Update, () => taken),
        ];
        expect(await outcomesOf(refused)).toEqual(['version_conflict', 'version_conflict']);
        expect([await sortKeys(record), written()]).toEqual([[], 0]);
        await transact([putItem(note(pk, 'second'))]);
      });

      expect(await sortKeys(record)).toEqual(['record 3']);
      expect(await sortKeys(pk)).toEqual(['second', 'taken']);
    });

    test('is not written by work that writes nothing', async () => {
      const record = newPk();
      const { join, seen } = createJoin(record);

      await joinWrite(join, async () => void (await getItem(note(record, 'record'))));

      expect([await sortKeys(record), seen]).toEqual([[], []]);
    });

    test('of every scope around goes with the first write', async () => {
      const [pk, outer, inner, next] = [newPk(), newPk(), newPk(), newPk()];
      const { join, seen } = createJoin(outer);

      await joinWrite(join, async () => {
        await joinWrite(createJoin(inner).join, () => transact([putNew(note(pk, 'a'))]));
        await joinWrite(createJoin(next).join, () => transact([putNew(note(pk, 'b'))]));
        await transact([putNew(note(pk, 'c'))]);
      });

      for (const record of [outer, inner, next]) expect(await sortKeys(record)).toEqual(['record 1']);
      expect(seen.map((writes) => writes.length)).toEqual([1]);
    });

    test('goes with each of the writes that are sent at once, and with none after them', async () => {
      const [pk, record] = [newPk(), newPk()];
      const { join, written } = createJoin(record);
      await transact([putNew(note(pk, 'taken'))]);

      await joinWrite(join, async () => {
        const writing = ['taken', 'b', 'c'].map((sk) => transact([putNew(note(pk, sk))]));
        expect(await outcomesOf(writing)).toEqual(['ConditionError', 'done', 'done']);
        await transact([putNew(note(pk, 'd'))]);
      });

      expect([await sortKeys(record), written()]).toEqual([['record 2', 'record 3'], 2]);
    });

    test('leaves housekeeping alone', async () => {
      const [pk, record] = [newPk(), newPk()];
      const { join } = createJoin(record);

      await joinWrite(join, async () => {
        await withoutJoin(() => transact([putNew(note(pk, 'mark'))]));
        const expiresAt = Math.floor(Date.now() / 1000) + 60;
        expect(await redeemTokens('test', [{ id: randomLetters(), expiresAt }])).toBe(true);
      });

      expect(await sortKeys(record)).toEqual([]);
    });

    test('does not reach work that runs beside', async () => {
      const [pk, record] = [newPk(), newPk()];
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();

      const joined = joinWrite(createJoin(record).join, async () => {
        begin();
        await ended;
      });
      await begun;
      await transact([putNew(note(pk, 'a'))]);
      end();
      await joined;

      expect(await sortKeys(record)).toEqual([]);
    });

    test('fits into the largest transaction, for two scopes', async () => {
      const [pk, outer, inner] = [newPk(), newPk(), newPk()];
      const writes = Array.from({ length: transactionLimit }, (_, index) => putNew(note(pk, `${index}`)));

      await joinWrite(createJoin(outer).join, () =>
        joinWrite(createJoin(inner).join, () => transact(writes)),
      );

      expect(await sortKeys(pk)).toHaveLength(transactionLimit);
      expect([...(await sortKeys(outer)), ...(await sortKeys(inner))]).toEqual(['record 1', 'record 1']);
    });

    test('fits into an import that fills its transactions', async () => {
      const [typeKey, record] = [await createTypeWith([]), newPk()];
      const { join, seen } = createJoin(record);
      const items = Array.from({ length: 250 }, (_, index) => ({ value: `v${index}`, name: 'n' }));

      const counts = await joinWrite(join, () => importDictItems(typeKey, items, 'merge'));

      expect(counts).toMatchObject({ added: 250 });
      expect(await sortKeys(record)).toEqual(['record 1']);
      // The lock is taken alone: the first items take the record along.
      expect(seen.map((writes) => writes.length)).toEqual([transactionLimit]);
    });

    test.each(['TransactWriteItems', 'all'])(
      'is written once if the answers of %s are lost',
      async (lost) => {
        const [pk, record] = [newPk(), newPk()];
        const operations: string[] = [];
        const decide = (operation: string) => {
          if (!/^(Transact|Update|Delete)/.test(operation)) return 'pass';
          operations.push(operation);
          return operations.length % 2 === 1 ? 'lose' : 'pass';
        };

        await throughProxy(decide, async () => {
          const hook = await import('#shared/db/joined-writes.ts');
          const items = await import('#shared/db/items.ts');
          const { join, written } = createJoin(record);
          await hook.joinWrite(join, async () => {
            const { Update } = changeItem(note(pk, 'a'), { set: { x: 1 } });
            await (lost === 'all' ? items.updateItem(Update) : items.transact([{ Update }]));
          });
          expect(written()).toBe(1);
        });

        expect(operations).toEqual(['TransactWriteItems', 'TransactWriteItems']);
        expect([await sortKeys(pk), await sortKeys(record)]).toEqual([['a'], ['record 1']]);
      },
    );

    test('stays open if no answer came, and the next write takes it along again', async () => {
      const [pk, record] = [newPk(), newPk()];
      let isLost = true;
      const decide = (operation: string) => (operation.startsWith('Transact') && isLost ? 'lose' : 'pass');

      await throughProxy(decide, async () => {
        const hook = await import('#shared/db/joined-writes.ts');
        const items = await import('#shared/db/items.ts');
        const { join, seen } = createJoin(record);
        await hook.joinWrite(join, async () => {
          expect(await outcomesOf([items.transact([putItem(note(pk, 'a'))])])).toEqual([
            'database.unavailable',
          ]);
          isLost = false;
          await items.transact([putItem(note(pk, 'b')), putItem(note(pk, 'c'))]);
        });
        expect(seen.map((writes) => writes.length)).toEqual([1, 2]);
      });

      expect(await sortKeys(pk)).toEqual(['a', 'b', 'c']);
      // The first transaction happened, and its record with it.
      expect(await queryPartition(record)).toEqual([
        { ...note(record, 'record 1'), writes: 1 },
        { ...note(record, 'record 2'), writes: 2 },
      ]);
    });
  });
}
