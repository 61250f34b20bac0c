import { inspect } from 'node:util';
import type { StorageEngine } from '#shared/storage/engine.ts';
import { newKey } from '../../../contract/storage/direct-upload.ts';

/** All operations that use the network. */
export const operations: [name: string, run: (engine: StorageEngine) => Promise<unknown>][] = [
  ['put', (engine) => engine.put(newKey(), Buffer.from('\x89PNG\r\n', 'latin1'), 'image/png')],
  ['stat', (engine) => engine.stat(newKey())],
  ['readRange', (engine) => engine.readRange(newKey(), 0, 10)],
  ['delete', (engine) => engine.delete(newKey())],
  ['finalise', (engine) => engine.finalise(newKey(), 1)],
];

/** The code of a failure, and everything that a log could show of it. */
export async function failureOf(operation: () => unknown): Promise<{ code: string; text: string }> {
  try {
    await operation();
  } catch (error) {
    // By name: freshly loaded sources have a class of their own.
    if (!(error instanceof Error && 'code' in error && error.name === 'AppError')) throw error;
    return { code: String(error.code), text: inspect(error, { depth: null, showHidden: true }) };
  }
  throw new Error('the operation succeeded');
}
