import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** What 100,000 users and files with their indexes take, and some more. */
const neededBytes = 2 * 1024 ** 3;

/** A new folder for data, in memory if there is room: on a disk the engine waits for every write. */
export const createWorkFolder = (prefix: string): string =>
  mkdtempSync(join(hasRoom() ? memory : tmpdir(), prefix));

function hasRoom(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= neededBytes;
}
