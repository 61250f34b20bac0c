import { environment } from '#shared/config/environment.ts';
import { type EngineName, engineNames } from '#shared/config/storage.ts';
import { readSettings } from '#shared/settings/store.ts';
import { aliyun } from './engines/aliyun/settings.ts';
import { openFolders } from './engines/local/folders.ts';
import { linkStorage } from './engines/local/link-storage.ts';
import { qcloud } from './engines/qcloud/settings.ts';
import { qiniu } from './engines/qiniu/settings.ts';
import { notConfigured } from './failures.ts';
import { requireSettings } from './settings.ts';

/**
 * The engine that new files go to.
 *
 * @param chosen the setting `storage.default`; `local` where it is empty
 * @throws AppError `storage.not_configured` for a word that names no engine
 */
export function toEngineName(chosen: string): EngineName {
  const name = engineNames.find((known) => known === (chosen || 'local'));
  if (!name) throw notConfigured('storage.default names no engine');
  return name;
}

/**
 * Makes sure that the engine of new files has what it needs, without loading it.
 *
 * @param chosen the setting `storage.default`
 * @throws AppError `storage.not_configured`, as opening it would
 */
export async function assertDefaultEngine(chosen: string): Promise<void> {
  switch (toEngineName(chosen)) {
    case 'local':
      openFolders(prepareStorageDir());
      return;
    case 'qiniu':
      return requireSettings('qiniu', await readSettings(qiniu));
    case 'aliyun':
      return requireSettings('aliyun', await readSettings(aliyun));
    case 'qcloud':
      return requireSettings('qcloud', await readSettings(qcloud));
  }
}

/** The folder of local storage; a disk that a deployed function has mounted is installed from here. */
export function prepareStorageDir(): string | undefined {
  const { storageDir, isDeployed } = environment();
  if (isDeployed && storageDir) linkStorage(storageDir);
  return storageDir;
}
