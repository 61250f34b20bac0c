import { generate } from '#functions/generate.ts';
import type { FoundListener } from '#functions/model.ts';
import { describeAdministrator } from '../commands/install.ts';
import { install } from '../install.ts';
import { printWarnings } from '../print-warnings.ts';
import { root } from '../project.ts';
import { describeFunctions } from './regenerate.ts';

type StackEnvironment = Record<'DATA_DIR' | 'STORAGE_DIR' | 'TABLE_NAME', string>;

/**
 * Discovers the modules and installs what is missing.
 *
 * @returns the functions, as {@link describeFunctions} tells them, and the stream listeners that there are
 */
export async function prepare(
  environment: StackEnvironment,
): Promise<{ functions: string; listeners: readonly FoundListener[] }> {
  const manifest = await generate(root);
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
  return { functions: describeFunctions(manifest), listeners: manifest.listeners };
}
