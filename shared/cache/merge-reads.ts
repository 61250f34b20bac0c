import type { Command, RedisResult } from './protocol.ts';

/** A command that waits for its reply. */
export interface Queued {
  command: Command;
  resolve(result: RedisResult): void;
  reject(error: Error): void;
}

const isRead = ({ command: [name] }: Queued): boolean => name === 'mget';

/**
 * Makes one of all `MGET`s that travel together: Upstash bills by the command. It stands where the last one
 * did, so that a read still follows the writes that were sent before it.
 */
export function mergeReads(batch: readonly Queued[]): readonly Queued[] {
  const reads = batch.filter(isRead);
  const last = reads.at(-1);
  if (reads.length < 2 || !last) return batch;
  const merged: Queued = {
    command: ['mget', ...reads.flatMap(({ command: [, ...keys] }) => keys)],
    resolve: (result) => deal(reads, Array.isArray(result) ? result : []),
    reject: (error) => {
      for (const { reject } of reads) reject(error);
    },
  };
  return batch.flatMap((entry) => (entry === last ? merged : isRead(entry) ? [] : entry));
}

/** Hands every read its part of the reply. */
function deal(reads: readonly Queued[], cells: readonly RedisResult[]): void {
  let at = 0;
  for (const { command, resolve } of reads) {
    const end = at + command.length - 1;
    resolve(cells.slice(at, end));
    at = end;
  }
}
