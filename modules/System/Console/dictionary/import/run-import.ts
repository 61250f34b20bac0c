import type { ImportItem } from './parse-import.ts';

/** Items of one request. Small enough to show progress, large enough to be quick. */
const chunkSize = 500;

/** What an import would do with an item. */
export type ItemOutcome = 'added' | 'changed' | 'same';

interface StoredItem {
  name: string;
  sort: number;
  status: string;
}

/** Compares as the service does: fields that are left out stay. */
export function compareItem({ name, sort, status }: ImportItem, stored: StoredItem | undefined): ItemOutcome {
  if (!stored) return 'added';
  const isSame =
    stored.name === name &&
    (sort ?? stored.sort) === stored.sort &&
    (status ?? stored.status) === stored.status;
  return isSame ? 'same' : 'changed';
}

export interface ImportRun {
  /** Items that are stored. */
  done: number;
  added: number;
  changed: number;
  removed: number;
}

export interface ImportJob {
  items: readonly ImportItem[];
  mode: 'merge' | 'replace';
  /** Sends one request. */
  send(items: readonly ImportItem[], mode: 'merge' | 'replace'): Promise<Omit<ImportRun, 'done'>>;
  isCancelled(): boolean;
  onProgress(run: ImportRun): void;
}

/**
 * Imports in several requests, and goes on from an earlier run. `replace` is one request: it needs the whole list.
 *
 * @throws the error of the request that failed; `run` then holds what is stored
 */
export async function runImport(
  { items, mode, send, isCancelled, onProgress }: ImportJob,
  run: ImportRun,
): Promise<void> {
  const size = mode === 'replace' ? Math.max(items.length, 1) : chunkSize;
  while (run.done < items.length && !isCancelled()) {
    const part = items.slice(run.done, run.done + size);
    const { added, changed, removed } = await send(part, mode);
    run.done += part.length;
    run.added += added;
    run.changed += changed;
    run.removed += removed;
    onProgress({ ...run });
  }
}
