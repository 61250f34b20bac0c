import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { anchorNames, toAnchorFile } from '#shared/audit/anchor.ts';
import { linkStorage } from '#shared/storage/engines/local/folders.ts';
import { createTable } from '../install.ts';
import { readLocalSecrets } from '../local/data-directory.ts';
import { type DynamoDbEngine, startDynamoDbEngine } from '../local/dynamodb-engine.ts';
import { currentVersion } from '../migrate.ts';
import { ArchiveError, readArchive, readSmall } from './archive.ts';
import type { Installation } from './back-up.ts';
import {
  type Description,
  descriptionName,
  identifyKeys,
  longestDescription,
  readDescription,
} from './description.ts';
import { connectEngine, parseItems, putItems } from './items.ts';
import { claimTarget } from './target.ts';

/** A page of items has at most 1 MiB in DynamoDB's count, and some times that as JSON. */
const longestPage = 64 * 1024 * 1024;
const longestDataFile = 1024 * 1024;

export interface RestoreSummary {
  items: number;
  files: number;
  description: Description;
  /** Whether some of the keys that the backup was made with are missing here. */
  lacksKeys: boolean;
}

/**
 * Restores a backup to an empty or missing `dataDir`. Interrupted, it leaves a folder that does not start; the same call
 * then begins again.
 *
 * @throws ArchiveError if the backup is damaged, has another format, or newer data than this code; Error if the target
 *   is not empty. Then the target is as before
 */
export async function restore(file: string, installation: Installation): Promise<RestoreSummary> {
  const target = claimTarget(installation);
  try {
    const summary = await new Restore(installation).run(file);
    target.finish();
    return summary;
  } catch (error) {
    target.discard();
    throw error;
  }
}

/** Writes the entries of a backup into a target that does not start yet. */
class Restore {
  readonly #to: Installation;
  #description: Description | undefined;
  #engine: DynamoDbEngine | undefined;
  #client: DynamoDBDocument | undefined;
  #items = 0;
  #files = 0;

  constructor(to: Installation) {
    this.#to = to;
  }

  async run(file: string): Promise<RestoreSummary> {
    const { dataDir, storageDir, environment } = this.#to;
    try {
      await readArchive(file, (...entry) => this.#write(...entry));
    } finally {
      await this.#engine?.stop();
    }
    if (!this.#description) throw new ArchiveError(`${descriptionName} is missing`);
    // It checks the restored ones.
    readLocalSecrets(dataDir);
    linkStorage(storageDir);
    writeFileSync(join(dataDir, 'install.lock'), '');
    const keys = identifyKeys(environment, dataDir);
    return {
      items: this.#items,
      files: this.#files,
      description: this.#description,
      lacksKeys: this.#description.keys.some((key) => !keys.includes(key)),
    };
  }

  async #write(name: string, content: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<void> {
    if (!this.#description) {
      if (name !== descriptionName) throw new ArchiveError(`${descriptionName} does not come first`);
      return this.#begin(await readSmall(content, sizeBytes, longestDescription));
    }
    const [folder] = name.split('/');
    if (folder === 'items') return this.#writeItems(await readSmall(content, sizeBytes, longestPage));
    if (folder === 'data') return this.#writeData(name, await readSmall(content, sizeBytes, longestDataFile));
    // All other names begin with this folder (`isEntryName`).
    const path = join(this.#to.storageDir, name);
    mkdirSync(dirname(path), { recursive: true });
    await pipeline(Readable.from(content), createWriteStream(path, { flags: 'wx', flush: true }));
    this.#files += 1;
  }

  async #begin(bytes: Uint8Array): Promise<void> {
    const description = readDescription(bytes);
    const { data_version } = description;
    if (data_version > currentVersion)
      throw new ArchiveError(
        `the data has version ${data_version}, this code ${currentVersion}: restore it with newer code`,
      );
    const { tableName, ...place } = this.#to;
    this.#engine = await startDynamoDbEngine(place);
    this.#client = connectEngine(this.#engine.endpoint);
    await createTable(tableName, this.#client);
    this.#description = description;
  }

  async #writeItems(bytes: Uint8Array): Promise<void> {
    const items = readPage(bytes);
    if (this.#client) {
      await putItems(this.#client, this.#to.tableName, items).catch((error) => {
        throw isRefused(error) ? new ArchiveError('an item is damaged', { cause: error }) : error;
      });
    }
    this.#items += items.length;
  }

  #writeData(name: string, bytes: Uint8Array): void {
    const { dataDir, tableName } = this.#to;
    const files = new Map([
      ['data/secrets.json', 'secrets.json'],
      ...anchorNames.map((each) => [`data/audit-log-${each}.json`, toAnchorFile(tableName, each)] as const),
    ]);
    const file = files.get(name);
    if (file === undefined) throw new ArchiveError(`the entry "${name}" does not belong to a backup`);
    writeFileSync(join(dataDir, file), bytes, { mode: 0o600, flag: 'wx' });
  }
}

/** Whether the database, or its client, refuses an item for what it holds. */
const isRefused = (error: unknown): boolean =>
  error instanceof TypeError || Object(error).$fault === 'client';

function readPage(bytes: Uint8Array) {
  try {
    return parseItems(Buffer.from(bytes).toString());
  } catch (error) {
    throw new ArchiveError('a page of items is damaged', { cause: error });
  }
}
