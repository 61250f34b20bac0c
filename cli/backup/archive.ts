import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished, pipeline } from 'node:stream/promises';
import { extract, type Header, pack } from 'tar-stream';
import { publish } from './publish.ts';

// A backup is a tar file. Its last entry has the SHA-256 of all others, in the format of `sha256sum`.

const sumsName = 'SHA256SUMS';
const sumLine = /^([0-9a-f]{64}) {2}(.+)$/;

/** All names that a backup may have: of this service's files, and without dots that lead out of a folder. */
const validName =
  /^(?:backup\.json|items\/\d{6}\.jsonl|data\/[a-z-]+\.json|storage(?:\/[\w-][\w.-]*){1,16}|SHA256SUMS)$/;
const longestName = 500;

/** Whether an entry of a backup may have this name. */
export const isEntryName = (name: string): boolean => name.length <= longestName && validName.test(name);

/** A backup is damaged, or no backup. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

export type ArchiveWriter = Awaited<ReturnType<typeof createArchive>>;

/**
 * Begins a backup: a temporary file beside `file`, readable by its owner only.
 *
 * @throws Error if `file` exists or its folder cannot be written
 */
export async function createArchive(file: string) {
  if (existsSync(file)) throw new Error(`${file} exists: choose another name`);
  const temporary = `${file}.${process.pid}.part`;
  const handle = await open(temporary, 'wx', 0o600);
  const archive = pack();
  const target = createWriteStream(temporary, { fd: handle, flush: true });
  // A failed write also ends the entry that waits for it.
  const writing = pipeline(archive, target).catch((error: Error) => {
    archive.destroy(error);
    throw error;
  });
  writing.catch(() => {});
  const sums: string[] = [];

  /** @param content of exactly `sizeBytes` */
  async function add(name: string, content: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<void> {
    if (!isEntryName(name)) throw new Error(`${name} is not the name of an entry`);
    const hash = createHash('sha256');
    const entry = archive.entry({ name, size: sizeBytes, mode: 0o600, mtime: new Date(0) });
    const hashed = Readable.from(hashing(content, hash));
    await Promise.race([pipeline(hashed, entry), writing.then(() => Promise.reject(closedEarly()))]);
    sums.push(`${hash.digest('hex')}  ${name}\n`);
  }
  const addBytes = (name: string, bytes: Uint8Array): Promise<void> =>
    add(name, Readable.from([bytes]), bytes.length);

  return {
    addBytes,
    addFile: (name: string, path: string): Promise<void> =>
      add(name, createReadStream(path), statSync(path).size),
    /** Writes the sums, and gives the complete file its name. @returns its size in bytes */
    async finish(): Promise<number> {
      await addBytes(sumsName, Buffer.from(sums.join('')));
      archive.finalize();
      await writing;
      publish(temporary, file);
      return statSync(file).size;
    },
    /** Removes the temporary file. Idempotent, and safe after `finish`. */
    discard(): void {
      archive.destroy();
      rmSync(temporary, { force: true });
    },
  };
}

const closedEarly = () => new Error('the file was closed before its end');

async function* hashing(content: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

/**
 * Reads a backup from its beginning to its end, entry by entry.
 *
 * @param onEntry gets each entry once, and reads its content before it settles; what it wrote counts only if the whole
 *   call succeeds
 * @throws ArchiveError if the file is not a complete backup with the right SHA-256 of each entry; errors of `onEntry`
 */
export async function readArchive(
  file: string,
  onEntry: (name: string, content: AsyncIterable<Uint8Array>, sizeBytes: number) => Promise<void>,
): Promise<void> {
  const sums = new Map<string, string>();
  let listed: Map<string, string> | undefined;
  /** What `onEntry` threw, which says nothing about the archive. */
  let failure: unknown;
  const entries = extract();
  const source = await open(file, 'r');
  const reading = pipeline(source.createReadStream(), entries);
  reading.catch(() => {});
  try {
    for await (const entry of entries) {
      const { name, size } = checkHeader(entry.header, sums);
      if (listed) throw new ArchiveError(`${name} comes after the last entry`);
      const hash = createHash('sha256');
      const content = hashing(asArchive(entry), hash);
      if (name === sumsName) listed = readSums(await readSmall(content, size, longestSums));
      else {
        await onEntry(name, content, size).catch((error) => {
          failure = error;
          throw error;
        });
        // An entry may be left unread, or half read.
        for await (const _rest of content);
        sums.set(name, hash.digest('hex'));
      }
    }
    await reading;
  } catch (error) {
    entries.destroy();
    await finished(entries).catch(() => {});
    if (failure !== undefined) throw failure;
    throw isReadError(error) ? error : new ArchiveError(String(Object(error).message), { cause: error });
  } finally {
    await source.close();
  }
  compareSums(sums, listed);
}

/** Whether an error is known already, or one of the disk. All others come from tar-stream, which has no class for them. */
const isReadError = (error: unknown): boolean =>
  error instanceof ArchiveError || Object(error).syscall !== undefined;

/** Content whose failures are those of the archive. */
async function* asArchive(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk;
  } catch (error) {
    throw new ArchiveError('the file ends too early, or is damaged', { cause: error });
  }
}

function checkHeader(header: Header, seen: ReadonlyMap<string, string>) {
  const { name, type } = header;
  const shown = JSON.stringify(name.slice(0, 80));
  if (type !== 'file') throw new ArchiveError(`the entry ${shown} is not a file`);
  if (!isEntryName(name)) throw new ArchiveError(`the entry ${shown} does not belong to a backup`);
  if (seen.has(name)) throw new ArchiveError(`the entry ${shown} comes twice`);
  return header;
}

/** About two million entries. */
const longestSums = 256 * 1024 * 1024;

/** The content of an entry of limited size. @throws ArchiveError above it */
export async function readSmall(
  content: AsyncIterable<Uint8Array>,
  sizeBytes: number,
  limitBytes: number,
): Promise<Buffer> {
  if (sizeBytes > limitBytes) throw new ArchiveError(`an entry has ${sizeBytes} bytes`);
  return buffer(Readable.from(content));
}

function readSums(text: Buffer): Map<string, string> {
  const lines = text.toString().split('\n').slice(0, -1);
  return new Map(
    lines.map((line) => {
      const [, sum = '', name = ''] = sumLine.exec(line) ?? [];
      if (sum === '') throw new ArchiveError(`${sumsName} is damaged`);
      return [name, sum];
    }),
  );
}

function compareSums(found: ReadonlyMap<string, string>, listed: ReadonlyMap<string, string> | undefined) {
  if (!listed) throw new ArchiveError('the end of the file is missing');
  for (const [name, sum] of found)
    if (listed.get(name) !== sum) throw new ArchiveError(`${name} is damaged: its SHA-256 is another one`);
  const missing = listed.keys().find((name) => !found.has(name));
  if (missing !== undefined) throw new ArchiveError(`${missing} is missing`);
}
