import { ObjectExistsError } from '#shared/storage/engine.ts';
import type { NamedEngine } from '#shared/storage/engines.ts';
import type { StoredFile } from '../records/file-record.ts';

/** Bytes of one read. */
const rangeBytes = 4_194_304;

/**
 * Copies a file's object to another engine, at the same key, and reads back what arrived. May be repeated: an
 * equal object that lies there already is as good as a copy.
 *
 * @throws Error where there is no object, it is not as its record says, or another one lies at the target
 * @throws AppError `storage.unavailable`
 */
export async function copyObject(
  { key, mime, size }: StoredFile,
  from: NamedEngine,
  to: NamedEngine,
): Promise<void> {
  const stored = await from.stat(key);
  if (!stored) throw new Error(`there is no object in ${from.name}`);
  if (stored.sizeBytes !== size) {
    throw new Error(`the object in ${from.name} has ${stored.sizeBytes} bytes, its record says ${size}`);
  }
  const bytes = await readObject(from, key, size);
  const isNew = await putNew(to, key, bytes, mime);
  if (await holds(to, key, bytes)) return;
  if (isNew) await to.delete(key);
  throw new Error(
    isNew ? `${to.name} did not store what was sent` : `another object lies at its key in ${to.name}`,
  );
}

async function readObject(engine: NamedEngine, key: string, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  for (let start = 0; start < size; start += rangeBytes) {
    const end = Math.min(start + rangeBytes, size);
    const range = await engine.readRange(key, start, end);
    if (range.length !== end - start) throw new Error(`the object in ${engine.name} ended at a read`);
    bytes.set(range, start);
  }
  return bytes;
}

/** @returns false where an object lies there already */
async function putNew(
  engine: NamedEngine,
  key: string,
  bytes: Uint8Array,
  contentType: string,
): Promise<boolean> {
  try {
    await engine.put(key, bytes, contentType);
    return true;
  } catch (error) {
    if (error instanceof ObjectExistsError) return false;
    throw error;
  }
}

async function holds(engine: NamedEngine, key: string, bytes: Uint8Array): Promise<boolean> {
  const stored = await engine.stat(key);
  if (stored?.sizeBytes !== bytes.length) return false;
  for (let start = 0; start < bytes.length; start += rangeBytes) {
    const end = Math.min(start + rangeBytes, bytes.length);
    const arrived = await engine.readRange(key, start, end);
    if (Buffer.compare(arrived, bytes.subarray(start, end)) !== 0) return false;
  }
  return true;
}
