import { type FSWatcher, readdirSync, type WatchEventType, watch } from 'node:fs';
import { join, sep } from 'node:path';

/** Editors write in several steps: a change is handled after this quiet time. */
const settleMs = 80;

interface WatchOptions {
  /** Called immediately at every change; `onSettled` follows. */
  onTouch?(): void;
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

  const tree = createTree((isSource) => {
    isChanged ||= isSource;
    onTouch?.();
    clearTimeout(timer);
    timer = setTimeout(settle, settleMs);
  });
  const enterAll = () =>
    folders.map((folder) => unlessGone(() => tree.enter(join(root, folder)))).includes(true);
  const settle = () => {
    // Changes in a new folder were not reported before its watcher started.
    if (enterAll()) isChanged = true;
    const was = isChanged;
    isChanged = false;
    onSettled(was);
  };

  enterAll();
  return () => {
    clearTimeout(timer);
    tree.close();
  };
}

/** @param note called for each event; `isSource` is also true for a removed folder */
function createTree(note: (isSource: boolean) => void) {
  const watchers = new Map<string, FSWatcher>();

  const follow = (folder: string) => (event: WatchEventType, file: string | null) => {
    const path = join(folder, file ?? '');
    // The watchers of a removed or replaced folder, and those below, no longer work.
    const isFolder = event === 'rename' && watchers.has(path);
    if (isFolder) forget(path);
    note(isFolder || /\.(ts|json)$/.test(path));
  };
  const forget = (folder: string) => {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      watchers.delete(path);
    }
  };
  /** Watches a folder and all folders below it. @returns whether one of them is new */
  const enter = (folder: string): boolean => {
    let isNew = false;
    if (!watchers.has(folder)) {
      watchers.set(
        folder,
        watch(folder, follow(folder)).on('error', () => forget(folder)),
      );
      isNew = true;
    }
    // Listed after the watcher started, so that no folder is missed.
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return entries.map(({ name }) => unlessGone(() => enter(join(folder, name)))).includes(true) || isNew;
  };
  return { enter, close: () => watchers.forEach((watcher) => void watcher.close()) };
}

/** Returns false if the folder was removed meanwhile. */
function unlessGone(enter: () => boolean): boolean {
  try {
    return enter();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
