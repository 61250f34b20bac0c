import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { removeDemoFiles } from '#modules/System/demo/files.ts';
import { startUpload, uploads } from '#modules/System/files/uploads/upload-record.ts';
import { getItem } from '#shared/db/items.ts';
import { linkStorage } from '#shared/storage/engines/local/folders.ts';
import { useDatabase } from '../../../../support/database.ts';
import { createTempDir } from '../../../../support/local-server.ts';

const storageDir = createTempDir();
process.env.STORAGE_DIR = storageDir;
useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');
beforeAll(() => {
  linkStorage(storageDir);
});

test('removes an upload that an interrupted run has left, with its bytes', async () => {
  const uploader = { kind: 'guest', id: null } as const;
  const declared = { type: 'file', ext: 'txt', name: 'a.txt', sizeBytes: 1 } as const;
  const place = { cid: null, module: '', tag: '', uploader };
  const { engine, file } = await startUpload({ ...declared, ...place }, 'local', 60);
  await engine.put(file.key, Buffer.from('a'), file.mime);
  const stored = join(storageDir, 'storage', 'public', file.key);
  const before = [existsSync(stored), (await getItem(uploads.key(file))) !== undefined];

  await removeDemoFiles.files({ name: 'a.txt', id: file.id, data: {} });

  expect(before).toEqual([true, true]);
  expect([existsSync(stored), await getItem(uploads.key(file))]).toEqual([false, undefined]);
});

test('does nothing for a file that no longer exists', async () => {
  const gone = { name: 'a.txt', id: '01JA4QB7C8D9E0F1G2H3J4K5M6', data: {} };

  await expect(removeDemoFiles.files(gone)).resolves.toBeUndefined();
});
