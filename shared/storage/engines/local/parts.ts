import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ObjectExistsError } from '../../engine.ts';
import { hasCode, readBytes, sizeOf, writeNew } from './files.ts';

/** A received part of a file, named by where it begins. */
interface Part {
  file: string;
  offset: number;
  sizeBytes: number;
}

/** The parts of a folder that follow each other without a gap from the beginning, in order. */
export async function listParts(folder: string): Promise<Part[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  const offsets = names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
  const parts: Part[] = [];
  for (const offset of offsets) {
    const file = join(folder, String(offset));
    if (offset === endOf(parts)) parts.push({ file, offset, sizeBytes: (await sizeOf(file)) ?? 0 });
  }
  return parts;
}

/** Bytes received so far. */
export const endOf = (parts: readonly Part[]): number => {
  const last = parts.at(-1);
  return last ? last.offset + last.sizeBytes : 0;
};

/**
 * Keeps a part that begins where the received bytes end. Every part is a file of its own that appears whole,
 * so of parts that arrive at the same time one is kept, and none is ever half written.
 *
 * @returns the received bytes, or undefined where the part neither follows them nor repeats one of them
 */
export async function keepPart(
  folder: string,
  scratch: string,
  offset: number,
  bytes: Uint8Array,
): Promise<number | undefined> {
  const parts = await listParts(folder);
  const same = parts.find((part) => part.offset === offset);
  if (same) return (await holds(same.file, bytes)) ? endOf(parts) : undefined;
  if (offset !== endOf(parts)) return undefined;
  const file = join(folder, String(offset));
  await mkdir(folder, { recursive: true });
  try {
    await writeNew(file, scratch, (handle) => handle.writeFile(bytes));
  } catch (error) {
    if (!(error instanceof ObjectExistsError)) throw error;
    if (!(await holds(file, bytes))) return undefined;
  }
  return offset + bytes.length;
}

/** Whether a file holds exactly these bytes. */
async function holds(file: string, bytes: Uint8Array): Promise<boolean> {
  if ((await sizeOf(file)) !== bytes.length) return false;
  return Buffer.compare(await readBytes(file, 0, bytes.length), bytes) === 0;
}

/** Whether a file holds these bytes at an offset. */
export async function holdsAt(file: string, offset: number, bytes: Uint8Array): Promise<boolean> {
  return Buffer.compare(await readBytes(file, offset, offset + bytes.length), bytes) === 0;
}
