import { environment } from '#shared/config/environment.ts';
import { linkStorage } from '#shared/storage/engines/local/link-storage.ts';
import { defineCommand } from '../command.ts';

export const storageLink = defineCommand({
  summary: 'make the folders of local storage and the public link to its files',
  options: {},
  async run({ openStores }) {
    openStores();
    const { storageDir } = environment();
    if (!storageDir) throw new Error('STORAGE_DIR is not set');
    console.log(linkStorage(storageDir) ? 'public/storage: linked' : 'public/storage: was linked');
  },
});
