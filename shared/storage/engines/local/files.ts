import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ObjectExistsError } from '../../engine.ts';

const pieceBytes = 1_048_576;

export const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

/** Size of a file in bytes; undefined if it does not exist. */
export async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Reads from `start` up to, not including, `end`; fewer bytes if the file ends before. */
export async function readBytes(file: string, start: number, end: number): Promise<Uint8Array> {
  if (end <= start) return new Uint8Array();
  const handle = await open(file, 'r');
  return buffer(handle.createReadStream({ start, end: end - 1, highWaterMark: pieceBytes }));
}

const temporaryPrefix = 'draft-';

/** Removes temporary files that were last written before a moment: their process has died. */
export async function removeTemporaryFiles(scratch: string, before: Date): Promise<void> {
  const names = (await readdir(scratch)).filter((name) => name.startsWith(temporaryPrefix));
  for (const file of names.map((name) => join(scratch, name))) {
    const found = await stat(file).catch(() => undefined); // The writer may have removed it meanwhile.
    if (found && found.mtime < before) await rm(file, { force: true });
  }
}

/**
 * Writes a whole file or nothing: a temporary file, which is then linked to the final name.
 *
 * @param scratch a folder of the same file system
 * @throws ObjectExistsError if the file exists
 */
export async function writeNew(
  file: string,
  scratch: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const temporary = join(scratch, temporaryPrefix + randomBytes(12).toString('hex'));
  try {
    // A stored file has to survive a power cut.
    await writeFile(temporary, content, { flag: 'wx', flush: true });
    await mkdir(dirname(file), { recursive: true });
    await link(temporary, file);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new ObjectExistsError(undefined, { cause: error });
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}
