import { generate } from '#functions/generate.ts';
import { environment } from '#shared/config/environment.ts';
import { createCommand } from '../command.ts';
import { useEnvironment } from '../environment.ts';
import { install } from '../install.ts';
import { readDataDir, root } from '../project.ts';
import { printWarnings } from '../terminal.ts';

export const installCommand = createCommand(
  'install',
  'create table, seeds and first administrator if they are missing',
).action(async () => {
  useEnvironment();
  const manifest = await generate(root);
  printWarnings(manifest);
  const { isTableCreated, dictionaries, administrator, isStorageLinked } = await install({
    tableName: environment().tableName,
    dataDir: readDataDir(),
    storageDir: environment().storageDir,
    modules: manifest.modules.map((found) => found.manifest),
    account: process.env.ADMIN_ACCOUNT || undefined,
    password: process.env.ADMIN_PASSWORD || undefined,
  });
  console.log(`Table ${environment().tableName}: ${isTableCreated ? 'created' : 'was there'}`);
  console.log(`Dictionaries: ${dictionaries.join(', ') || 'all were there'}`);
  console.log(`Local files: ${isStorageLinked ? 'linked' : 'nothing to link'}`);
  console.log(describeAdministrator(administrator));
});

/** One line about the first administrator. */
export function describeAdministrator(
  administrator: { account: string; generatedPassword?: string } | undefined,
): string {
  if (!administrator) return 'Administrator: was there';
  const { account, generatedPassword } = administrator;
  const password = generatedPassword
    ? `password ${generatedPassword} (shown this once)`
    : 'password from ADMIN_PASSWORD';
  return `Administrator: account ${account}, ${password}`;
}
