import { environment } from '#shared/config/environment.ts';
import type { EngineName } from '#shared/config/storage.ts';
import { readSettings } from '#shared/settings/store.ts';
import { prepareStorageDir, toEngineName } from './default-engine.ts';
import type { StorageEngine } from './engine.ts';
import { aliyun } from './engines/aliyun/settings.ts';
import { qcloud } from './engines/qcloud/settings.ts';
import { qiniu } from './engines/qiniu/settings.ts';
import type { CloudOptions } from './settings.ts';

/**
 * The engine that new files go to.
 *
 * @param chosen the setting `storage.default`
 * @throws AppError `storage.not_configured`
 */
export async function openDefaultEngine(chosen: string): Promise<StorageEngine> {
  return openEngine(toEngineName(chosen));
}

/**
 * An engine by name, with its settings as they are now; its SDK is loaded on first use.
 *
 * @throws AppError `storage.not_configured` for one that lacks settings or has no writable folder
 */
export async function openEngine(name: EngineName, options: CloudOptions = {}): Promise<StorageEngine> {
  switch (name) {
    case 'local':
      return openLocalEngine();
    case 'qiniu': {
      const { createQiniuEngine } = await import('./engines/qiniu.ts');
      return createQiniuEngine(await readSettings(qiniu), options);
    }
    case 'aliyun': {
      const { createAliyunEngine } = await import('./engines/aliyun.ts');
      return createAliyunEngine(await readSettings(aliyun), options);
    }
    case 'qcloud': {
      const { createQcloudEngine } = await import('./engines/qcloud.ts');
      return createQcloudEngine(await readSettings(qcloud), options);
    }
  }
}

/** The engine `local` with what only it can do. */
export async function openLocalEngine() {
  const { createLocalEngine } = await import('./engines/local/local.ts');
  return createLocalEngine({ storageDir: prepareStorageDir(), publicUrl: environment().publicUrl });
}
