import { environment } from '#shared/config/environment.ts';
import { linkStorage } from '#shared/storage/engines/local/folders.ts';
import { createCommand } from '../command.ts';
import { useEnvironment } from '../environment.ts';
import { makeFolder } from '../local/data-directory.ts';

export const storageLink = createCommand(
  'storage:link',
  'make the folders of local storage and the public link to its files',
).action(async () => {
  useEnvironment();
  const { storageDir } = environment();
  if (!storageDir) throw new Error('STORAGE_DIR is not set');
  makeFolder(storageDir, 'STORAGE_DIR');
  console.log(linkStorage(storageDir) ? 'public/storage: linked' : 'public/storage: was linked');
});
