import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { deleteFiles } from '#modules/System/files/manager/delete-files.ts';
import { moveFiles } from '#modules/System/files/manager/edit-files.ts';
import { updateItem } from '#shared/db/items.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { EngineName } from '#shared/storage/engines.ts';
import { listObjectKeys } from '#shared/storage/naming/variant-path.ts';
import { createMemoryEngines, type MemoryEngine, unreachable } from '../../../../../doubles/memory-engine.ts';
import { keys, setAttributes } from '../../../../../support/keys.ts';
import { countOf, newCategory, newFile, newFiles, readFile, unknownId } from '../fixture.ts';

let engines: Record<EngineName, MemoryEngine>;
let logged: jest.SpiedFunction<typeof console.error>;

const open = async (name: EngineName) => engines[name];
const setFile = (id: string, change: object) =>
  updateItem({ Key: { ...keys.file(id) }, ...setAttributes({ ...change }) });

/** A recorded file with its object. */
async function newStored(given: Parameters<typeof newFile>[0] = {}) {
  const file = await newFile(given);
  engines[file.engine].objects.set(file.key, new Uint8Array(3));
  return file;
}

/** Deletions. */
export function describeDeleting(): void {
  describe('deleting files', () => {
    beforeEach(() => {
      engines = createMemoryEngines();
      logged = jest.spyOn(console, 'error').mockImplementation(() => {});
    });
    afterEach(() => logged.mockRestore());

    test('removes the object first, then the record, and counts it out of the category', async () => {
      const cid = await newCategory();
      const [file] = [await newStored({ cid }), await newStored({ cid })];
      let before: unknown;
      engines.local.before = async () => {
        before = await readFile(file.id);
      };

      expect(await deleteFiles([file.id], { open })).toEqual({ deleted: 1, failed: [] });

      expect(before).toMatchObject({ id: file.id });
      expect(engines.local.objects.has(file.key)).toBe(false);
      expect(engines.local.objects.size).toBe(1);
      expect(await readFile(file.id)).toBeUndefined();
      expect(await countOf(cid)).toBe(1);
    });

    test('opens the engine of each file once, with a timeout', async () => {
      const names = ['local', 'aliyun', 'aliyun', 'qcloud', 'qcloud'] as const;
      const files = [];
      for (const engine of names) files.push(await newStored({ engine }));
      const opened = jest.fn(open);

      const ids = files.map(({ id }) => id);
      expect(await deleteFiles(ids, { open: opened })).toEqual({ deleted: 5, failed: [] });

      const limited = { timeoutMs: expect.any(Number) };
      expect(opened.mock.calls.toSorted()).toEqual([
        ['aliyun', limited],
        ['local', limited],
        ['qcloud', limited],
      ]);
      expect(Object.values(engines).flatMap(({ objects }) => [...objects.keys()])).toEqual([]);
    });

    test('keeps the record if the engine fails, names the reason, and can be repeated', async () => {
      const cid = await newCategory();
      const [away, here] = [await newStored({ cid, engine: 'qiniu' }), await newStored({ cid })];
      engines.qiniu.before = () => {
        throw unreachable();
      };
      const ids = [away.id, unknownId, here.id];

      const first = await deleteFiles(ids, { open });
      const kept = [await readFile(away.id), await countOf(cid)];
      engines.qiniu.before = () => {};
      const second = await deleteFiles(ids, { open });

      expect(first).toEqual({
        deleted: 1,
        failed: [
          { id: away.id, code: 'storage.unavailable' },
          { id: unknownId, code: 'file.not_found' },
        ],
      });
      expect(logged.mock.calls.join()).toMatch(/file\.not_deleted.*no route to it/);
      expect(kept).toMatchObject([{ id: away.id }, 1]);
      expect(second).toEqual({
        deleted: 1,
        failed: [unknownId, here.id].map((id) => ({ id, code: 'file.not_found' })),
      });
      expect(await countOf(cid)).toBe(0);
    });

    test('names an engine that is not set up, and a defect', async () => {
      const [one, other] = [await newStored({ engine: 'aliyun' }), await newStored({ engine: 'qcloud' })];
      engines.qcloud.before = () => {
        throw new TypeError('a defect');
      };
      const openSome = async (name: EngineName) => {
        if (name === 'aliyun') throw new AppError('storage.not_configured');
        return open(name);
      };

      expect(await deleteFiles([one.id, other.id], { open: openSome })).toEqual({
        deleted: 0,
        failed: [
          { id: one.id, code: 'storage.not_configured' },
          { id: other.id, code: 'internal' },
        ],
      });
    });

    test('runs at most five at once', async () => {
      const files = await newFiles(12);
      let [active, most] = [0, 0];
      engines.local.before = async () => {
        active += 1;
        most = Math.max(most, active);
        await new Promise(setImmediate);
        active -= 1;
      };

      const { deleted } = await deleteFiles(
        files.map(({ id }) => id),
        { open },
      );

      expect([deleted, most]).toEqual([12, 5]);
    });

    test('begins no deletion after its time', async () => {
      const files = await newFiles(7);
      const ids = files.map(({ id }) => id);
      let passedMs = 0;
      engines.local.before = () => {
        passedMs = 20_000;
      };

      const { deleted, failed } = await deleteFiles(ids, { open, now: () => passedMs });

      expect(deleted).toBe(5);
      expect(failed).toEqual(ids.slice(5).map((id) => ({ id, code: 'storage.unavailable' })));
      expect(await readFile(ids[6] ?? '')).toBeDefined();
    });

    test('deletes a file that is moved to another category meanwhile', async () => {
      const [one, other] = [await newCategory(), await newCategory()];
      const file = await newStored({ cid: one });
      engines.local.before = async () => void (await moveFiles([file.id], other));

      expect(await deleteFiles([file.id], { open })).toEqual({ deleted: 1, failed: [] });

      expect([await countOf(one), await countOf(other)]).toEqual([0, 0]);
      expect(engines.local.calls).toEqual(listObjectKeys(file.key).map((key) => `delete ${key}`));
    });

    test('deletes an object that is moved to another engine meanwhile', async () => {
      const file = await newStored();
      engines.local.before = async () => {
        engines.aliyun.objects.set(file.key, new Uint8Array(3));
        await setFile(file.id, { engine: 'aliyun', kept_in: ['local'] });
      };

      expect(await deleteFiles([file.id], { open })).toEqual({ deleted: 1, failed: [] });

      expect([engines.local.objects.size, engines.aliyun.objects.size]).toEqual([0, 0]);
      expect(await readFile(file.id)).toBeUndefined();
    });

    test('removes the copies that were kept in other engines', async () => {
      const file = await newStored({ engine: 'aliyun' });
      engines.local.objects.set(file.key, new Uint8Array(3));
      await setFile(file.id, { kept_in: ['local', 'qiniu'] });
      engines.local.before = () => {
        throw unreachable();
      };
      const openSome = async (name: EngineName) => {
        if (name === 'qiniu') throw new AppError('storage.not_configured');
        return open(name);
      };

      const failed = await deleteFiles([file.id], { open: openSome });
      engines.local.before = () => {};
      const done = await deleteFiles([file.id], { open: openSome });

      expect(failed.failed).toEqual([{ id: file.id, code: 'storage.unavailable' }]);
      expect(done).toEqual({ deleted: 1, failed: [] });
      expect(engines.local.objects.size).toBe(0);
    });

    test('counts a file out once, with any number of deletions', async () => {
      const cid = await newCategory();
      const files = await newFiles(3, { cid });
      const stays = await newFile({ cid });
      const ids = files.map(({ id }) => id);

      const all = await Promise.all(Array.from({ length: 20 }, () => deleteFiles(ids, { open })));

      expect(all.every(({ deleted, failed }) => deleted + failed.length === 3)).toBe(true);
      expect(all.flatMap(({ failed }) => failed).every(({ code }) => code === 'file.not_found')).toBe(true);
      expect(await countOf(cid)).toBe(1);
      expect(await readFile(stays.id)).toBeDefined();
    });
  });
}
