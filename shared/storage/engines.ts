import type { ConfigGroup, SettingsOf } from '#shared/settings/group.ts';
import { readSettings } from '#shared/settings/store.ts';
import { type Engine, notConfigured, type OpenOptions, type StorageEngine } from './engine.ts';
import { aliyun } from './engines/aliyun/settings.ts';
import { type CloudGroup, requireSettings } from './engines/cloud-settings.ts';
import { local } from './engines/local/local.ts';
import { qcloud } from './engines/qcloud/settings.ts';
import { qiniu } from './engines/qiniu/settings.ts';

/** The storage engines, by their names in the setting `storage.default` and in file records. */
export const engines = {
  local,
  qiniu: defineCloud(qiniu, () => import('./engines/qiniu/engine.ts')),
  aliyun: defineCloud(aliyun, () => import('./engines/aliyun/engine.ts')),
  qcloud: defineCloud(qcloud, () => import('./engines/qcloud/engine.ts')),
} satisfies Record<string, Engine>;

export type EngineName = keyof typeof engines;

/** An open engine with its name. */
export interface NamedEngine extends StorageEngine {
  readonly name: EngineName;
}

const registry: Record<EngineName, Engine> = engines;
export const engineNames = Object.keys(engines).filter(isEngineName);
/** The groups of settings of all engines. */
export const engineSettings: ConfigGroup[] = engineNames.flatMap((name) => registry[name].settings ?? []);

/**
 * The engine that new files go to.
 *
 * @param chosen the setting `storage.default`; empty means `local`
 * @returns undefined if there is no such engine
 */
export function findEngineName(chosen: string): EngineName | undefined {
  const name = chosen || 'local';
  return isEngineName(name) ? name : undefined;
}

/**
 * Checks that new files can be stored, without loading the engine.
 *
 * @param chosen the setting `storage.default`
 * @throws AppError `storage.not_configured`, as opening the engine would
 */
export async function assertDefaultEngine(chosen: string): Promise<void> {
  await registry[toEngineName(chosen)].assertReady();
}

/**
 * Opens the engine that new files go to.
 *
 * @param chosen the setting `storage.default`
 * @throws AppError `storage.not_configured`
 */
export const openDefaultEngine = async (chosen: string): Promise<NamedEngine> =>
  openEngine(toEngineName(chosen));

/**
 * Opens an engine with its current settings; its SDK is loaded on first use.
 *
 * @throws AppError `storage.not_configured` if settings are missing or it has no writable folder
 */
export async function openEngine(name: EngineName, options?: OpenOptions): Promise<NamedEngine> {
  return { ...(await registry[name].open(options)), name };
}

/** A cloud: its group of settings, and the file that creates the engine from them. */
function defineCloud<Group extends CloudGroup>(
  settings: Group,
  load: () => Promise<{
    createEngine(settings: SettingsOf<Group>, options?: OpenOptions): StorageEngine;
  }>,
): Engine {
  return {
    settings,
    required: settings.required,
    assertReady: async () => requireSettings(settings, await readSettings(settings)),
    async open(options) {
      const { createEngine } = await load();
      return createEngine(await readSettings(settings), options);
    },
  };
}

function isEngineName(name: string): name is EngineName {
  return Object.hasOwn(engines, name);
}

function toEngineName(chosen: string): EngineName {
  const name = findEngineName(chosen);
  if (!name) throw notConfigured('storage.default names no engine');
  return name;
}
