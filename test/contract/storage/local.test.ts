import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalEngine } from '#shared/storage/engines/local/engine.ts';
import { linkStorage, openFolders } from '#shared/storage/engines/local/folders.ts';
import { itIsAStorageEngine } from './conformance.ts';
import { countFiles, receiveParts } from './receive-parts.ts';

itIsAStorageEngine('local', async () => {
  const storageDir = mkdtempSync(join(tmpdir(), 'storage-'));
  linkStorage(storageDir);
  return {
    ...receiveParts(createLocalEngine(openFolders(storageDir))),
    countObjects: async () => countFiles(join(storageDir, 'storage')),
    stop: async () => {},
  };
});
