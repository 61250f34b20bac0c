import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Editors write in several steps: a change is handled after this quiet time. */
const settleMs = 80;

/** Names of the service's sources, and of folders. */
const serviceSource = /^[^.]*$|\.(ts|json)$/;

/**
 * Watches the sources below folders. Each folder has its own watcher: Node's recursive one loses files that are
 * replaced by a rename, as many editors do.
 *
 * @param onChange called at the first change of a group. `settled` resolves after the last change of the group: true if
 *   a source file changed, false if only other files did
 * @param watchedName names of sources, and of folders
 * @returns stops watching
 */
export function watchSources(
  root: string,
  folders: readonly string[],
  onChange: (settled: Promise<boolean>) => void,
  watchedName = serviceSource,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isChanged = false;
  let group: PromiseWithResolvers<boolean> | undefined;

  const note = (_event: string, file: string | null) => {
    isChanged ||= watchedName.test(file ?? '');
    if (!group) {
      group = Promise.withResolvers();
      onChange(group.promise);
    }
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
    group?.resolve(isChanged);
    group = undefined;
    isChanged = false;
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
