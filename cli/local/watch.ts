import { type FSWatcher, readdirSync, type WatchEventType, watch } from 'node:fs';
import { join, sep } from 'node:path';

/** Quiet time after a change before it is handled, in milliseconds: editors write in several steps. */
const settleMs = 80;

export interface WatchOptions {
  /** Called at once, whenever something below the folders changes; `onSettled` follows. */
  onTouch?(): void;
  /** Called once for each burst. @param isChanged whether a source was among what has changed */
  onSettled(isChanged: boolean): void;
}

/**
 * Watches the sources below some folders. Each folder has its own watch: Node's recursive watch loses a file that is
 * replaced by a rename, as many editors and the module commands do.
 *
 * @returns ends the watch
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
    // Changes in a new folder before its watch began were not reported.
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

/** @param note called for each event; says whether it is about a source, or about a folder that is gone */
function createTree(note: (isSource: boolean) => void) {
  const watchers = new Map<string, FSWatcher>();

  const follow = (folder: string) => (event: WatchEventType, file: string | null) => {
    const path = join(folder, file ?? '');
    // The folder is gone or replaced: its watch and those below see nothing any more.
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
  /** Watches a folder and all below it. @returns whether one was not watched before */
  const enter = (folder: string): boolean => {
    let isNew = false;
    if (!watchers.has(folder)) {
      watchers.set(
        folder,
        watch(folder, follow(folder)).on('error', () => forget(folder)),
      );
      isNew = true;
    }
    // Listed after the watch began, so that nothing is missed.
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return entries.map(({ name }) => unlessGone(() => enter(join(folder, name)))).includes(true) || isNew;
  };
  return { enter, close: () => watchers.forEach((watcher) => void watcher.close()) };
}

/** Enters a folder; false if it has been removed since it was listed. */
function unlessGone(enter: () => boolean): boolean {
  try {
    return enter();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
