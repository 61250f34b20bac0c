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

export interface NamedEngine extends StorageEngine {
  readonly name: EngineName;
}

const registry: Record<EngineName, Engine> = engines;
export const engineNames = Object.keys(engines).filter(isEngineName);
export const receivingEngines = engineNames.filter((name) => registry[name].receivesParts);
export const engineSettings: ConfigGroup[] = engineNames.flatMap((name) => registry[name].settings ?? []);

/**
 * The engine of new files.
 *
 * @param chosen the setting `storage.default`; empty means `local`
 * @returns undefined if the engine does not exist
 */
export function findEngineName(chosen: string): EngineName | undefined {
  const name = chosen || 'local';
  return isEngineName(name) ? name : undefined;
}

/**
 * Checks that the engine of new files can be opened, without loading it.
 *
 * @param chosen the setting `storage.default`
 * @throws AppError `storage.not_configured`
 */
export const assertDefaultEngine = async (chosen: string): Promise<void> =>
  registry[toEngineName(chosen)].assertReady();

/** Opens the engine of new files. @param chosen the setting `storage.default` @throws as {@link openEngine} */
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

function defineCloud<Group extends CloudGroup>(
  settings: Group,
  load: () => Promise<{ createEngine(values: SettingsOf<Group>, options?: OpenOptions): StorageEngine }>,
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
