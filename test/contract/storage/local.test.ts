import '../../support/environment.ts';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { serveFile } from '#modules/System/files/serve-file.ts';
import { environment } from '#shared/config/environment.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { createLocalEngine } from '#shared/storage/engines/local/engine.ts';
import { linkStorage, openFolders } from '#shared/storage/engines/local/folders.ts';
import { itIsAStorageEngine } from './conformance.ts';
import { withLinks } from './open-with.ts';
import { countFiles, receiveParts } from './receive-parts.ts';

itIsAStorageEngine('local', async () => {
  const storageDir = mkdtempSync(join(tmpdir(), 'storage-'));
  linkStorage(storageDir);
  process.env.STORAGE_DIR = storageDir;
  const underTest = receiveParts(createLocalEngine(openFolders(storageDir)));
  return {
    ...underTest,
    ofPrivate: {
      engine: withLinks(underTest.engine),
      openUrls: (key) => [`${environment().publicUrl}/storage/${key}`],
      read: readLink,
      moveClock: (seconds) => {
        if (seconds === 0) jest.useRealTimers();
        else
          jest.useFakeTimers({ now: Date.now() + seconds * 1000, doNotFake: ['nextTick', 'setImmediate'] });
      },
    },
    countObjects: async () => countFiles(join(storageDir, 'storage')),
    stop: async () => {},
  };
});

/** As the route of local files does. */
async function readLink(url: string, headers: Record<string, string> = {}) {
  const { pathname, searchParams } = new URL(url);
  const path = pathname.replace('/storage/', '');
  try {
    const answer = await serveFile(path, 'GET', headers, searchParams);
    return { status: answer.status, bytes: Buffer.from(answer.body ?? '') };
  } catch (error) {
    if (error instanceof AppError) return { status: 403, bytes: new Uint8Array() };
    throw error;
  }
}
