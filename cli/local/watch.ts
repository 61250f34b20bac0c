import { watch } from 'node:fs';
import { join } from 'node:path';

/** Quiet time after a change before it is acted upon, in milliseconds: editors write in several steps. */
const settleMs = 80;

/**
 * Tells when sources below some folders have changed, once for each burst.
 *
 * @returns ends the watch
 */
export function watchSources(root: string, folders: readonly string[], onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watchers = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, file) => {
      if (!/\.(ts|json)$/.test(file ?? '')) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, settleMs);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
