import type { EngineName } from '#shared/config/storage.ts';
import type { StorageEngine } from '#shared/storage/engine.ts';
import type { CloudOptions } from '#shared/storage/settings.ts';

/** Opens an engine by name. */
export type OpenEngine = (name: EngineName, options?: CloudOptions) => Promise<StorageEngine>;

/** Opens each engine on first use, and once. */
export function openOnce(
  open: OpenEngine,
  options?: CloudOptions,
): (name: EngineName) => Promise<StorageEngine> {
  const opened = new Map<EngineName, Promise<StorageEngine>>();
  return (name) => {
    const engine = opened.get(name) ?? open(name, options);
    opened.set(name, engine);
    return engine;
  };
}
