import type { OpenOptions } from '#shared/storage/engine.ts';
import type { EngineName, NamedEngine } from '#shared/storage/engines.ts';

/** Opens an engine by name. */
export type OpenEngine = (name: EngineName, options?: OpenOptions) => Promise<NamedEngine>;

/** Opens each engine on first use, and once. */
export function openOnce(
  open: OpenEngine,
  options?: OpenOptions,
): (name: EngineName) => Promise<NamedEngine> {
  const opened = new Map<EngineName, Promise<NamedEngine>>();
  return (name) => {
    const engine = opened.get(name) ?? open(name, options);
    opened.set(name, engine);
    return engine;
  };
}
