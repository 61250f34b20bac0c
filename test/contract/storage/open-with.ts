import type { Engine, StorageEngine } from '#shared/storage/engine.ts';
import { type EngineName, engines } from '#shared/storage/engines.ts';
import { signLink } from '#shared/storage/private-files.ts';

/** Opens an engine as the service does. */
export async function openWith(name: EngineName, values: Record<string, unknown>) {
  const engine: Engine = engines[name];
  const opened = await engine.openWith?.(values);
  if (!opened) throw new Error(`${name} has no settings`);
  return withLinks(opened);
}

/** An engine that takes private files. */
export const withLinks = (engine: StorageEngine) => ({
  ...engine,
  signedUrl: (...given: Parameters<Required<StorageEngine>['signedUrl']>) => signLink(engine, ...given),
});

export async function stopAll(...doubles: { stop(): Promise<void> }[]): Promise<void> {
  for (const { stop } of doubles) await stop();
}
