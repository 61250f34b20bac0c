import type { Engine, StorageEngine } from '#shared/storage/engine.ts';
import { type EngineName, engines } from '#shared/storage/engines.ts';

/** Opens an engine as the service does. */
export async function openWith(name: EngineName, values: Record<string, unknown>): Promise<StorageEngine> {
  const engine: Engine = engines[name];
  if (!engine.openWith) throw new Error(`${name} has no settings`);
  return engine.openWith(values);
}

export async function stopAll(...doubles: { stop(): Promise<void> }[]): Promise<void> {
  for (const { stop } of doubles) await stop();
}
