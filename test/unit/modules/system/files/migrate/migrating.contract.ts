import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { deleteFiles } from '#modules/System/files/manager/delete-files.ts';
import { listFiles } from '#modules/System/files/manager/list-files.ts';
import { type MigrationOptions, migrateFiles } from '#modules/System/files/migrate-files.ts';
import type { StoredFile } from '#modules/System/files/records/file-record.ts';
import { deleteItem, updateItem } from '#shared/db/items.ts';
import { createMemoryEngine, type MemoryEngine, unreachable } from '../../../../../doubles/memory-engine.ts';
import { keys, setAttributes } from '../../../../../support/keys.ts';
import { countOf, newCategory, newFile, readFile } from '../fixture.ts';

let local: MemoryEngine;
let cloud: MemoryEngine;
let failures: string[];

const migrate = (options: Partial<MigrationOptions> = {}) =>
  migrateFiles({
    from: local,
    to: cloud,
    isSourceDeleted: false,
    onFailure: (id, error) => failures.push(`${id}: ${error instanceof Error && error.message}`),
    ...options,
  });
const done = (moved: number, movedBytes: number, rest: object = {}) => ({
  moved,
  movedBytes,
  cleaned: 0,
  failed: 0,
  isComplete: true,
  ...rest,
});
const change = (id: string, attributes: object) =>
  updateItem({ Key: { ...keys.file(id) }, ...setAttributes({ ...attributes }) });

/** A recorded file with its object in the source. */
async function newStored(size = 3, given: Partial<StoredFile> = {}): Promise<StoredFile> {
  const file = await newFile({ size, ...given });
  local.objects.set(file.key, new Uint8Array(randomBytes(size)));
  return file;
}

/** The recorded files with their engines. */
async function listAll() {
  const { list } = await listFiles({ limit: 100 });
  return Promise.all(list.map(({ id }) => readFile(id)));
}

/** Moves between engines. */
export function describeMigrating(): void {
  describe('moving files to another engine', () => {
    beforeEach(async () => {
      local = createMemoryEngine('local');
      cloud = createMemoryEngine('aliyun');
      failures = [];
      for (const { id } of (await listFiles({ limit: 100 })).list) await deleteItem(keys.file(id));
    });

    test('copies objects, points records at them and keeps the source', async () => {
      const cid = await newCategory();
      const [small, large] = [await newStored(3, { cid }), await newStored(9 * 1_048_576)];
      const other = await newFile({ engine: 'qiniu' });
      const before = await readFile(small.id);

      expect(await migrate()).toEqual(done(2, 3 + 9 * 1_048_576));

      for (const { key } of [small, large]) {
        const [sent, arrived] = [local, cloud].map(({ objects }) => objects.get(key) ?? new Uint8Array());
        expect(Buffer.compare(sent ?? new Uint8Array(), arrived ?? new Uint8Array(1))).toBe(0);
      }
      expect(await readFile(small.id)).toEqual({
        ...before,
        engine: 'aliyun',
        uri: `https://aliyun.example.com/${small.key}`,
        kept_in: ['local'],
      });
      expect((await readFile(other.id))?.engine).toBe('qiniu');
      expect(await countOf(cid)).toBe(1);
    });

    test('has nothing to do the second time', async () => {
      await newStored();
      await migrate();
      cloud.calls = [];

      expect(await migrate()).toEqual(done(0, 0));
      expect(cloud.calls).toEqual([]);
    });

    test('deletes the source if requested', async () => {
      const file = await newStored();

      expect(await migrate({ isSourceDeleted: true })).toEqual(done(1, 3));

      expect([local.objects.size, cloud.objects.size]).toEqual([0, 1]);
      expect(await readFile(file.id)).toMatchObject({ engine: 'aliyun', kept_in: [] });
    });

    test('deletes only copies that earlier runs kept', async () => {
      const file = await newStored();
      await migrate();
      local.objects.set('uploads/unknown', new Uint8Array(1));

      expect(await migrate({ isSourceDeleted: true })).toEqual(done(0, 0, { cleaned: 1 }));

      expect([...local.objects.keys()]).toEqual(['uploads/unknown']);
      expect(cloud.objects.has(file.key)).toBe(true);
      expect(await migrate({ isSourceDeleted: true })).toEqual(done(0, 0));
    });

    test('keeps the copies of files that are in a third engine', async () => {
      const file = await newStored();
      await change(file.id, { engine: 'qiniu', kept_in: ['local'] });

      expect(await migrate({ isSourceDeleted: true })).toEqual(done(0, 0));

      expect(failures).toEqual([]);
      expect(local.objects.has(file.key)).toBe(true);
    });

    test('keeps the source of a file that the target has lost', async () => {
      const file = await newStored();
      await migrate();
      cloud.objects.clear();

      expect(await migrate({ isSourceDeleted: true })).toMatchObject({ cleaned: 0, failed: 1 });

      expect(failures).toEqual([`${file.id}: aliyun has lost it: it stays in local`]);
      expect(local.objects.has(file.key)).toBe(true);
    });

    test('can move back to kept copies', async () => {
      const file = await newStored();
      await migrate();

      expect(await migrate({ from: cloud, to: local })).toEqual(done(1, 3));

      expect(await readFile(file.id)).toMatchObject({
        engine: 'local',
        uri: `storage/${file.key}`,
        kept_in: ['aliyun'],
      });
    });

    test('accepts only an equal object at the target as the copy', async () => {
      const [same, shorter, different] = [await newStored(), await newStored(), await newStored()];
      cloud.objects.set(same.key, local.objects.get(same.key) ?? new Uint8Array());
      cloud.objects.set(shorter.key, new Uint8Array(2));
      cloud.objects.set(different.key, new Uint8Array(3));

      expect(await migrate()).toMatchObject({ moved: 1, failed: 2 });

      expect(failures.toSorted()).toEqual(
        [shorter, different].map(({ id }) => `${id}: another object lies at its key in aliyun`).toSorted(),
      );
      expect((await readFile(shorter.id))?.engine).toBe('local');
      expect(cloud.objects.get(different.key)).toEqual(new Uint8Array(3));
    });

    test.each([
      ['cut', (bytes: Uint8Array) => bytes.slice(1)],
      ['changed', (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1)],
      ['longer', (bytes: Uint8Array) => new Uint8Array([...bytes, 1])],
    ])('does not trust a target that stores a %s object', async (_how, distort) => {
      const file = await newStored();
      cloud.distort = distort;

      expect(await migrate({ isSourceDeleted: true })).toMatchObject({ moved: 0, failed: 1 });

      expect(failures).toEqual([`${file.id}: aliyun did not store what was sent`]);
      expect([local.objects.size, cloud.objects.size]).toEqual([1, 0]);
      expect((await readFile(file.id))?.engine).toBe('local');
    });

    test('names files that fail and continues with the others', async () => {
      const [missing, short, away, good] = [
        await newFile(),
        await newStored(5),
        await newStored(),
        await newStored(),
      ];
      local.objects.set(short.key, new Uint8Array(4));
      cloud.before = (_operation, key) => {
        if (key === away.key) throw unreachable();
      };

      expect(await migrate()).toEqual(done(1, 3, { failed: 3 }));

      expect(failures.toSorted()).toEqual(
        [
          `${missing.id}: there is no object in local`,
          `${short.id}: the object in local has 4 bytes, its record says 5`,
          `${away.id}: storage.unavailable`,
        ].toSorted(),
      );
      expect((await readFile(good.id))?.engine).toBe('aliyun');
      cloud.before = () => {};
      expect(await migrate()).toMatchObject({ moved: 1, failed: 2 });
    });

    test('remembers a source that could not be deleted', async () => {
      const file = await newStored();
      local.before = (operation) => {
        if (operation === 'delete') throw unreachable();
      };
      expect(await migrate({ isSourceDeleted: true })).toMatchObject({ moved: 0, failed: 1 });
      expect(await readFile(file.id)).toMatchObject({ engine: 'aliyun', kept_in: ['local'] });
      local.before = () => {};

      expect(await migrate({ isSourceDeleted: true })).toEqual(done(0, 0, { cleaned: 1 }));
      expect(local.objects.size).toBe(0);
    });

    test('stops between files, and continues from there', async () => {
      await Promise.all([newStored(), newStored(), newStored()]);
      let isStopped = false;
      cloud.before = () => {
        isStopped = true;
      };

      expect(await migrate({ isStopped: () => isStopped })).toEqual(done(1, 3, { isComplete: false }));
      expect(await migrate()).toEqual(done(2, 6));
    });

    test('changes nothing in a dry run', async () => {
      const file = await newStored();
      const before = await readFile(file.id);

      expect(await migrate({ isDryRun: true, isSourceDeleted: true })).toEqual(done(1, 3));

      expect(await readFile(file.id)).toEqual(before);
      expect([local.calls, cloud.calls]).toEqual([[], []]);
    });

    test.each(['stat', 'put', 'readRange'] as const)(
      'leaves no copy of a file that is deleted at %s',
      async (moment) => {
        const file = await newStored();
        (moment === 'readRange' ? local : cloud).before = async (operation) => {
          if (operation === moment) await deleteFiles([file.id], { open: async () => local });
        };

        expect(await migrate()).toEqual(done(0, 0));

        expect([local.objects.size, cloud.objects.size]).toEqual([0, 0]);
        expect(await readFile(file.id)).toBeUndefined();
      },
    );

    test('keeps the object of another run that was faster', async () => {
      const file = await newStored();
      cloud.before = async (operation) => {
        if (operation === 'stat') await change(file.id, { engine: 'aliyun', kept_in: ['local'] });
      };

      expect(await migrate()).toEqual(done(0, 0));

      expect(cloud.objects.has(file.key)).toBe(true);
    });

    test('removes its copy if another run moved the file to another engine', async () => {
      const file = await newStored();
      cloud.before = async (operation) => {
        if (operation === 'stat') await change(file.id, { engine: 'qiniu' });
      };

      expect(await migrate()).toEqual(done(0, 0));

      expect(cloud.objects.size).toBe(0);
    });

    test('leaves no object behind while files are deleted at the same time', async () => {
      const files = await Promise.all(Array.from({ length: 20 }, () => newStored()));
      const ids = files.map(({ id }) => id).sort();
      const open = async (name: string) => (name === 'local' ? local : cloud);

      await Promise.all([migrate(), ...ids.slice(0, 15).map((id) => deleteFiles([id], { open }))]);
      await migrate({ isSourceDeleted: true });

      const left = await listAll();
      expect(left.map((item) => item?.id).sort()).toEqual(ids.slice(15));
      expect([...cloud.objects.keys()].sort()).toEqual(left.map((item) => String(item?.key)).sort());
      expect(local.objects.size).toBe(0);
    });
  });
}
