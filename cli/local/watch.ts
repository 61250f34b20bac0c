import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Editors write in several steps: a change is handled after this quiet time. */
const settleMs = 80;

/** Names of sources and of folders. */
const watchedName = /^[^.]*$|\.(ts|json)$/;

interface WatchOptions {
  /** Called immediately at every change; `onSettled` follows. */
  onTouch(): void;
  /** Called once for a group of changes. @param isChanged whether a source has changed */
  onSettled(isChanged: boolean): void;
}

/**
 * Watches the sources below folders. Each folder has its own watcher: Node's recursive one loses files that are
 * replaced by a rename, as many editors do.
 *
 * @returns stops watching
 */
export function watchSources(
  root: string,
  folders: readonly string[],
  { onTouch, onSettled }: WatchOptions,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isChanged = false;

  const note = (_event: string, file: string | null) => {
    isChanged ||= watchedName.test(file ?? '');
    onTouch();
    clearTimeout(timer);
    timer = setTimeout(settle, settleMs);
  };
  const watchAll = () => folders.flatMap((folder) => watchTree(join(root, folder), note));
  let watchers = watchAll();
  const settle = () => {
    // Renewed, because the watchers of replaced folders no longer work.
    const former = watchers;
    watchers = watchAll();
    for (const watcher of former) watcher.close();
    const was = isChanged;
    isChanged = false;
    onSettled(was);
  };

  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** Watches a folder and all folders below it. */
function watchTree(folder: string, note: (event: string, file: string | null) => void): FSWatcher[] {
  try {
    const watcher = watch(folder, note).on('error', () => {});
    // Listed after the watcher started, so that no folder is missed.
    const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [watcher, ...inner.flatMap(({ name }) => watchTree(join(folder, name), note))];
  } catch (error) {
    // The folder was removed meanwhile.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
