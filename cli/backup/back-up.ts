import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { anchorNames, toAnchorFile } from '#shared/audit/anchor.ts';
import { readLocalSecrets } from '../local/data-directory.ts';
import { type LocalEngineName, startDynamoDbEngine } from '../local/dynamodb-engine.ts';
import { versionKey } from '../migrate.ts';
import { type ArchiveWriter, createArchive } from './archive.ts';
import {
  type Description,
  descriptionName,
  identifyKeys,
  listSettings,
  renderDescription,
} from './description.ts';
import { connectEngine, type RawItem, renderItems, scanTable } from './items.ts';
import { copyDatabase, createWorkFolder, LinkedFiles } from './snapshot.ts';

/** A local installation. */
export interface Installation {
  dataDir: string;
  /** Folder of local storage; it may be `dataDir`. */
  storageDir: string;
  tableName: string;
  environment: NodeJS.ProcessEnv;
  /** @default the first installed engine */
  engine?: LocalEngineName;
}

/** What a backup holds. */
export interface BackupSummary {
  items: number;
  files: number;
  sizeBytes: number;
  description: Omit<Description, 'format'>;
  /** Records of files without an object: it was lost, or deleted with its record during the backup. */
  lost: number;
  /** Files of the storage folder that are not the service's. */
  left: readonly string[];
}

/**
 * Writes a backup of a local installation as it is at one moment. The service may run, and change anything meanwhile.
 *
 * @param about versions of the code
 * @throws Error if `file` exists, or if there is no installation; then no file is left
 */
export async function backUp(
  file: string,
  installation: Installation,
  about: Pick<Description, 'service' | 'modules'>,
): Promise<BackupSummary> {
  const { dataDir, storageDir } = installation;
  if (!existsSync(join(dataDir, 'secrets.json')))
    throw new Error(`${dataDir} has no installation (DATA_DIR)`);
  const archive = await createArchive(resolve(file));
  const folders: string[] = [];
  const cleanUp = () => {
    archive.discard();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  };
  const stop = () => {
    cleanUp();
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    for (const folder of new Set([dataDir, storageDir])) folders.push(createWorkFolder(folder));
    const [work = '', linkFolder = work] = folders;
    return await writeBackup(archive, { ...installation, work, linkFolder }, about);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    cleanUp();
  }
}

type Prepared = Installation & { work: string; linkFolder: string };

async function writeBackup(
  archive: ArchiveWriter,
  prepared: Prepared,
  about: Pick<Description, 'service' | 'modules'>,
): Promise<BackupSummary> {
  const { dataDir, storageDir, tableName, environment, work, linkFolder } = prepared;
  const { appKey } = readLocalSecrets(dataDir);
  // Read before the database is copied: the end of the audit log in the table may be newer, but not older.
  const data = [
    { name: 'secrets', file: 'secrets.json' },
    ...anchorNames.map((name) => toDataFile(name, tableName)),
  ]
    .map((each) => ({ ...each, path: join(dataDir, each.file) }))
    .filter(({ path }) => existsSync(path))
    .map(({ name, path }) => ({ name: `data/${name}.json`, bytes: readFileSync(path) }));
  const files = new LinkedFiles(storageDir, linkFolder);
  files.link();
  const name = await copyDatabase(prepared, work);
  const created_at = new Date().toISOString();
  files.link();
  const engine = await startDynamoDbEngine({ dataDir: work, environment, engine: name });
  try {
    const client = connectEngine(engine.endpoint);
    const description = {
      created_at,
      ...about,
      data_version: await readDataVersion(client, tableName),
      keys: identifyKeys(environment, dataDir),
      // The generated key is in the backup.
      environment: listSettings(environment).filter(
        (name) => name !== 'APP_KEY' || environment.APP_KEY !== appKey,
      ),
    };
    await archive.addBytes(descriptionName, renderDescription(description));
    for (const { name, bytes } of data) await archive.addBytes(name, bytes);
    const { items, named } = await addItems(archive, client, tableName);
    const { count, lost } = await addFiles(archive, files, named);
    return { items, files: count, lost, sizeBytes: await archive.finish(), description, left: files.left };
  } finally {
    await engine.stop();
  }
}

const toDataFile = (name: (typeof anchorNames)[number], tableName: string) => ({
  name: `audit-log-${name}`,
  file: toAnchorFile(tableName, name),
});

async function readDataVersion(client: DynamoDBDocument, TableName: string): Promise<number> {
  const { pk, sk } = versionKey;
  const command = new GetItemCommand({
    TableName,
    Key: { pk: { S: pk }, sk: { S: sk } },
    ConsistentRead: true,
  });
  const found = await client.send(command).catch((error) => {
    if (Object(error).name !== 'ResourceNotFoundException') throw error;
    return { Item: undefined };
  });
  if (!found.Item) throw new Error(`The table ${TableName} holds no service: start it once with npm start`);
  return Number(found.Item.version?.N);
}

/** Keys of the objects in local storage that records of files name. */
async function addItems(archive: ArchiveWriter, client: DynamoDBDocument, tableName: string) {
  const named = new Set<string>();
  let items = 0;
  let pages = 0;
  for await (const page of scanTable(client, tableName)) {
    for (const item of page) if (isLocalFile(item)) named.add(item.key?.S ?? '');
    items += page.length;
    pages += 1;
    await archive.addBytes(`items/${String(pages).padStart(6, '0')}.jsonl`, Buffer.from(renderItems(page)));
  }
  return { items, named };
}

const isLocalFile = ({ pk, key, engine, kept_in }: RawItem): boolean =>
  pk?.S?.startsWith('FILE#') === true &&
  key?.S !== undefined &&
  (engine?.S === 'local' || (kept_in?.L ?? []).some((each) => each.S === 'local'));

async function addFiles(archive: ArchiveWriter, files: LinkedFiles, named: ReadonlySet<string>) {
  // The key is the path below the folder of public objects; that of a private one is its whole path.
  const toKey = (path: string) => path.replace(/^public\//, '');
  const found = new Set<string>();
  let count = 0;
  for (const { path, name, link } of files.list((each) => named.has(toKey(each)))) {
    await archive.addFile(name, link);
    found.add(toKey(path));
    count += 1;
  }
  return { count, lost: named.difference(found).size };
}
