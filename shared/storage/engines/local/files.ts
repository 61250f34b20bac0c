import { randomBytes } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ObjectExistsError } from '../../engine.ts';

/** Whether an error of the file system has a code. */
export const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

/** Size of a file in bytes; undefined where there is none. */
export async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The bytes of a file from `start` up to, not including, `end`; fewer where it ends before. */
export async function readBytes(file: string, start: number, end: number): Promise<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.max(0, Math.min(end, size) - start));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

const draftPrefix = 'draft-';

/** Removes what {@link writeNew} has left where its process died, unless it was written to since `before`. */
export async function removeDrafts(scratch: string, before: Date): Promise<void> {
  const names = (await readdir(scratch)).filter((name) => name.startsWith(draftPrefix));
  for (const draft of names.map((name) => join(scratch, name))) {
    const found = await stat(draft).catch(() => undefined); // It was finished meanwhile.
    if (found && found.mtime < before) await rm(draft, { force: true });
  }
}

/**
 * Writes a file so that it is there whole or not at all: under another name first, then linked to its own,
 * which fails where that is taken.
 *
 * @param scratch a folder of the same file system
 * @throws ObjectExistsError when there is such a file
 */
export async function writeNew(
  file: string,
  scratch: string,
  write: (handle: FileHandle) => Promise<unknown>,
): Promise<void> {
  const draft = join(scratch, draftPrefix + randomBytes(12).toString('hex'));
  try {
    const handle = await open(draft, 'wx');
    try {
      await write(handle);
      // What is answered as stored has to outlive a power cut.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await mkdir(dirname(file), { recursive: true });
    await link(draft, file);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new ObjectExistsError(undefined, { cause: error });
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
