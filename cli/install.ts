import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, UpdateTimeToLiveCommand, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { addAdmin } from '#modules/System/admins/admins.ts';
import * as schemas from '#modules/System/admins/schema.ts';
import { beginLog } from '#modules/System/audit/chain-state.ts';
import { findPasswordFault } from '#modules/System/public/new-password.ts';
import { putRoles } from '#modules/System/roles/roles.ts';
import { EnvironmentError } from '#shared/config/environment.ts';
import { database } from '#shared/db/client.ts';
import { tableSchema, ttlAttribute } from '#shared/db/table.ts';
import { seedDictionary } from '#shared/dict/seed.ts';
import type { ErrorDetail } from '#shared/errors/app-error.ts';
import { validate } from '#shared/i18n/validate.ts';
import type { ModuleManifest } from '#shared/module/module.ts';
import { linkStorage } from '#shared/storage/engines/local/folders.ts';
import { makeFolder } from './local/data-directory.ts';
import { createFirstRoles, currentVersion, raiseVersion, readVersion } from './migrate.ts';
import { recordCommand } from './record-command.ts';
import { translateDetails } from './translate.ts';

const activeLimitSeconds = 60;

interface InstallOptions {
  tableName: string;
  modules: readonly ModuleManifest[];
  /** Folder of the install lock. */
  dataDir: string;
  /** Folder of local storage, if it is used. */
  storageDir?: string | undefined;
  /** The first administrator's. @default 'admin' */
  account?: string;
  /** The first administrator's; generated if absent. */
  password?: string;
}

/**
 * Installs a service: folders and link of local storage, table, dictionaries, one administrator, roles, install lock.
 * Idempotent: an installed service keeps its administrators and roles.
 *
 * @returns what was created; a generated password is shown only once
 * @throws AppError `storage.not_configured` if the folders cannot be written; this step is the first
 */
export async function install(options: InstallOptions) {
  if (options.storageDir !== undefined) makeFolder(options.storageDir, 'STORAGE_DIR');
  const isStorageLinked = options.storageDir !== undefined && linkStorage(options.storageDir);
  makeFolder(options.dataDir, 'DATA_DIR');
  const isTableCreated = await createTable(options.tableName, await database());
  const work = () => fillTable(options);
  // Every local start runs this: an entry only if something was missing.
  const filled = await recordCommand('install', z.object({}), {}, work, { onlyChanges: true });
  const { version, dictionaries, administrator, roles } = filled;
  writeFileSync(join(options.dataDir, 'install.lock'), '');
  /** Whether `migrate` has something to do. */
  const isOutdated = version !== undefined && version < currentVersion;
  return { isTableCreated, dictionaries, administrator, roles, isStorageLinked, isOutdated };
}

export type InstallResult = Awaited<ReturnType<typeof install>>;

/** Creates a table if it is missing. @returns whether it was created */
export async function createTable(TableName: string, client: DynamoDBDocument): Promise<boolean> {
  const creating = client.send(new CreateTableCommand({ TableName, ...tableSchema }));
  const isCreated = await unless('ResourceInUseException', creating);
  await waitUntilTableExists({ client, minDelay: 1, maxWaitTime: activeLimitSeconds }, { TableName });
  const TimeToLiveSpecification = { AttributeName: ttlAttribute, Enabled: true };
  // DynamoDB refuses this if it is already enabled.
  const enabling = client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  await unless('ValidationException', enabling);
  return isCreated;
}

/** Waits for a step; returns false if it fails with the given error. */
async function unless(errorName: string, step: Promise<unknown>): Promise<boolean> {
  try {
    await step;
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === errorName) return false;
    throw error;
  }
}

/** Adds what is missing: administrator and roles of a new table, and dictionaries. */
async function fillTable(options: InstallOptions) {
  const version = await readVersion();
  if (version === undefined) await beginLog();
  const { administrator, roles } = version === undefined ? await addFirst(options) : none;
  const dictionaries: string[] = [];
  for (const seed of options.modules.flatMap((module) => module.dictionaries ?? [])) {
    if (await seedDictionary(seed)) dictionaries.push(seed.type_key);
  }
  return { version, dictionaries, administrator, roles };
}

const none = { administrator: undefined, roles: [] };

/** Adds the first administrator and the first roles, and gives the data its version, all or nothing. */
async function addFirst({ account = 'admin', password, modules }: InstallOptions) {
  assertFits('ADMIN_ACCOUNT', schemas.account, account);
  if (password !== undefined) {
    assertFits('ADMIN_PASSWORD', schemas.password, password);
    const message = await findPasswordFault(password, account);
    if (message) refuse('ADMIN_PASSWORD', [{ path: 'ADMIN_PASSWORD', message }]);
  }
  const generatedPassword = password === undefined ? randomBytes(12).toString('base64url') : undefined;
  const roles = createFirstRoles(modules);
  await addAdmin({ account, name: account, password: password ?? generatedPassword ?? '', isSuper: true }, [
    ...putRoles(roles),
    raiseVersion(undefined, currentVersion),
  ]);
  return { administrator: { account, generatedPassword }, roles: roles.map(({ name }) => name) };
}

function assertFits(variable: string, schema: z.core.$ZodType, value: string): void {
  const { issues } = validate(schema, value, variable);
  if (issues) refuse(variable, issues, variable === 'ADMIN_PASSWORD' ? undefined : value);
}

/** @param value is shown; not that of a secret */
function refuse(variable: string, faults: readonly ErrorDetail[], value?: string): never {
  const shown = value === undefined ? 'does not fit' : `is "${value}", which does not fit`;
  const messages = translateDetails(faults).map(({ message }) => message);
  throw new EnvironmentError(`${variable} ${shown}: ${messages.join()}`);
}
