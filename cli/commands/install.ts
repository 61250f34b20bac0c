import * as z from 'zod/mini';
import { discover } from '#functions/discover/discover.ts';
import { generate } from '#functions/generate.ts';
import type { FoundModule, Manifest } from '#functions/model.ts';
import { environment } from '#shared/config/environment.ts';
import { createCommand } from '../command.ts';
import { useEnvironment } from '../environment.ts';
import { type InstallResult, install } from '../install.ts';
import { migrate } from '../migrate.ts';
import { seedData } from '../modules/data.ts';
import { readDataDir, root } from '../project.ts';
import { recordCommand } from '../record-command.ts';
import { printWarnings } from '../terminal.ts';

/** Installs the missing parts with the settings of the environment, and prints warnings about the modules. */
export function installService(manifest: Manifest): Promise<InstallResult> {
  printWarnings(manifest);
  const { tableName, storageDir } = environment();
  return install({
    tableName,
    storageDir,
    dataDir: readDataDir(),
    modules: manifest.modules.map((found) => found.manifest),
    account: process.env.ADMIN_ACCOUNT || undefined,
    password: process.env.ADMIN_PASSWORD || undefined,
  });
}

/** Raises the data to the version of the code. @returns what was done, for people */
export const migrateService = (found: readonly FoundModule[]): Promise<string[]> =>
  recordCommand('migrate', z.object({}), {}, () => migrate(found.map(({ manifest }) => manifest)));

export const installCommand = createCommand(
  'install',
  'create table, seeds and first administrator if they are missing',
).action(async () => {
  useEnvironment();
  const manifest = await generate(root);
  const { isTableCreated, dictionaries, administrator, roles, isStorageLinked, isOutdated } =
    await installService(manifest);
  console.log(`Table ${environment().tableName}: ${isTableCreated ? 'created' : 'was there'}`);
  console.log(`Dictionaries: ${dictionaries.join(', ') || 'all were there'}`);
  console.log(`Local files: ${isStorageLinked ? 'linked' : 'nothing to link'}`);
  console.log(administrator ? describeAdministrator(administrator) : 'Administrator: was there');
  console.log(`Roles: ${roles.join(', ') || 'as they were'}`);
  if (isOutdated) console.log('The data is of an older version: deploy, then run migrate');
});

export const migrateCommand = createCommand(
  'migrate',
  'raise the data to the version of this code; safe to repeat, and while the service runs',
).action(async () => {
  useEnvironment();
  const { modules } = await discover(root);
  const done = await migrateService(modules);
  console.log(done.length > 0 ? done.join('\n') : 'Nothing to do: the data is up to date');
});

export function describeAdministrator(created: NonNullable<InstallResult['administrator']>): string {
  const { account, generatedPassword: own } = created;
  return `Administrator: account ${account}, password ${own ? `${own} (shown this once)` : 'from ADMIN_PASSWORD'}`;
}

export const seed = createCommand(
  'seed',
  'create the dictionaries of the enabled modules that are missing; existing ones stay as they are',
).action(async () => {
  useEnvironment();
  const { modules } = await discover(root);
  const seeded = await recordCommand('seed', z.object({}), {}, () =>
    seedData(modules.map(({ manifest }) => manifest)),
  );
  console.log(seeded.length > 0 ? `Seeded: ${seeded.join(', ')}` : 'Nothing to do: all dictionaries exist');
});
