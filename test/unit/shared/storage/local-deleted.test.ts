import '../../../support/environment.ts';
import fs from 'node:fs/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createLocalEngine } from '#shared/storage/engines/local/engine.ts';
import { linkStorage, openFolders } from '#shared/storage/engines/local/folders.ts';
import { newKey } from '../../../contract/storage/direct-upload.ts';
import { createTempDir } from '../../../support/local-server.ts';

const { link, open } = fs;
const storageDir = createTempDir();
linkStorage(storageDir);
const engine = createLocalEngine(openFolders(storageDir));
const bytes = Buffer.from('part');

let key = '';
beforeEach(() => {
  key = newKey();
});
afterEach(() => {
  jest.restoreAllMocks();
});

test('a part is refused, not failed, if its upload is deleted while the part is stored', async () => {
  await engine.parts.receivePart(key, 0, bytes);
  jest.spyOn(fs, 'link').mockImplementationOnce(async (...files) => {
    await engine.delete(key);
    return link(...files);
  });

  const outcome = await engine.parts.receivePart(key, bytes.length, bytes);

  expect(outcome).toEqual({ isKept: false, offset: 0 });
});

test('a part that is repeated is refused, not failed, if the object is deleted while it is compared', async () => {
  await engine.put(key, bytes, 'text/plain');
  jest.spyOn(fs, 'open').mockImplementationOnce(async (...file) => {
    await engine.delete(key);
    return open(...file);
  });

  const outcome = await engine.parts.receivePart(key, 0, bytes);

  expect(outcome).toEqual({ isKept: false, offset: 0 });
});

test('a part fails if the disk fails', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => {});
  jest.spyOn(fs, 'link').mockRejectedValueOnce(Object.assign(new Error('disk'), { code: 'EIO' }));

  await expect(engine.parts.receivePart(key, 0, bytes)).rejects.toMatchObject({
    code: 'storage.unavailable',
  });
});
