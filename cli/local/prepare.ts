import type { Manifest } from '#functions/model.ts';
import { describeAdministrator } from '../commands/install.ts';
import { install } from '../install.ts';
import { printWarnings } from '../terminal.ts';

type StackEnvironment = Record<'DATA_DIR' | 'STORAGE_DIR' | 'TABLE_NAME', string>;

/** Installs what is missing. */
export async function prepare(environment: StackEnvironment, manifest: Manifest): Promise<void> {
  printWarnings(manifest);
  const { administrator } = await install({
    tableName: environment.TABLE_NAME,
    dataDir: environment.DATA_DIR,
    storageDir: environment.STORAGE_DIR,
    modules: manifest.modules.map((found) => found.manifest),
    account: process.env.ADMIN_ACCOUNT || undefined,
    password: process.env.ADMIN_PASSWORD || undefined,
  });
  if (administrator) console.log(describeAdministrator(administrator));
}
