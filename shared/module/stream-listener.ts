import type { Key } from '#shared/db/keys.ts';
import type { ModuleManifest } from './module.ts';

/** Work that follows changes of the table, whoever made them. */
export interface StreamListener {
  /** Beginnings of the partition keys whose changes it is told; all others cost it nothing. */
  prefixes: readonly string[];
  /** How old a change may get before it is no longer told, in seconds: 60 to 604,800. */
  maxAgeSeconds: number;
  limits?: { timeoutSeconds?: number; memoryMb?: number };
  /**
   * Does the work. A change may be told more than once, and to several instances at a time.
   *
   * @param changed keys of the items that were written or deleted, by TTL too
   * @param modules manifests of the enabled modules
   * @returns what it did, for the log
   * @throws Error to be told all of these changes again
   */
  handle(changed: readonly Key[], modules: readonly ModuleManifest[]): Promise<object>;
}

/** Declares a listener; a file in a module's `Stream/` exports the result as default. */
export function defineStreamListener(listener: StreamListener): StreamListener {
  return listener;
}
