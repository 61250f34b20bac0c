import { settleAll } from '#shared/async/settle-all.ts';
import { environment } from '#shared/config/environment.ts';
import type { SettingsOf } from '#shared/settings/group.ts';
import { fillValues, readSettings } from '#shared/settings/store.ts';
import {
  type Engine,
  type EngineSettings,
  notConfigured,
  type OpenOptions,
  type StorageEngine,
} from './engine.ts';
import { aliyun } from './engines/aliyun/settings.ts';
import { requireSettings } from './engines/cloud-settings.ts';
import { prepareFolders } from './engines/local/folders.ts';
import { qcloud } from './engines/qcloud/settings.ts';
import { qiniu } from './engines/qiniu/settings.ts';
import { s3 } from './engines/s3/settings.ts';
import type { Visibility } from './naming/object-path.ts';

/** Few functions open an engine. */
const loadPrivateFiles = () => import('./private-files.ts');

/** Files on a disk of this service, in the folder `STORAGE_DIR`. */
const local: Engine = {
  receivesParts: true,
  assertReady: async () => void prepareFolders(),
  open: async () => (await import('./engines/local/engine.ts')).createLocalEngine(prepareFolders()),
};

/** The storage engines, by their names in the setting `storage.default` and in file records. */
export const engines = {
  local,
  qiniu: defineEngine(qiniu, () => import('./engines/qiniu/engine.ts')),
  aliyun: defineEngine(aliyun, () => import('./engines/aliyun/engine.ts')),
  qcloud: defineEngine(qcloud, () => import('./engines/qcloud/engine.ts')),
  s3: defineEngine(s3, () => import('./engines/s3/engine.ts')),
} satisfies Record<string, Engine>;

export type EngineName = keyof typeof engines;

export interface NamedEngine extends StorageEngine {
  readonly name: EngineName;
}

export const engineNames = Object.keys(engines).filter((name): name is EngineName =>
  Object.hasOwn(engines, name),
);
export const receivingEngines = engineNames.filter((name) => engines[name].receivesParts);
export const engineSettings = engineNames.flatMap((name) => engines[name].settings ?? []);

/**
 * The engine of new files, by the setting `storage.default`. If that is empty, it is `s3` for a stage with a bucket, else
 * `local`. Undefined if it does not exist.
 */
export function findEngineName(chosen: string): EngineName | undefined {
  const sought = chosen || (environment().s3Bucket ? 's3' : 'local');
  return engineNames.find((name) => name === sought);
}

function toEngineName(chosen: string): EngineName {
  const name = findEngineName(chosen);
  if (!name) throw notConfigured('storage.default names no engine');
  return name;
}

/** Checks that the engine of new files takes such files, without loading it. @throws AppError `storage.not_configured` */
export const assertDefaultEngine = async (chosen: string, visibility: Visibility): Promise<void> =>
  engines[toEngineName(chosen)].assertReady(visibility);

/** Opens the engine of new files. @param chosen the setting `storage.default` @throws as {@link openEngine} */
export const openDefaultEngine = async (chosen: string): Promise<NamedEngine> =>
  openEngine(toEngineName(chosen));

/** Opens an engine with its current settings; loads its SDK on first use. @throws AppError `storage.not_configured` */
export const openEngine = async (name: EngineName, options?: OpenOptions): Promise<NamedEngine> => ({
  ...(await engines[name].open(options)),
  name,
});

/** Declares an engine with settings, a cloud or not. @param load imports the engine's file on first use */
function defineEngine<Group extends EngineSettings>(
  settings: Group,
  load: () => Promise<{ createEngine(values: SettingsOf<Group>, options?: OpenOptions): StorageEngine }>,
  { receivesParts }: Pick<Engine, 'receivesParts'> = {},
): Engine {
  async function create(values: SettingsOf<Group>, options?: OpenOptions): Promise<StorageEngine> {
    const [{ createEngine }, { toPrivateSettings, withPrivateFiles }] = await settleAll([
      load(),
      loadPrivateFiles(),
    ]);
    const openPrivate = () => createEngine(toPrivateSettings(settings, values), options);
    return withPrivateFiles(createEngine(values, options), openPrivate);
  }
  return {
    settings,
    receivesParts,
    async assertReady(visibility) {
      const values = await readSettings(settings);
      requireSettings(settings, values);
      if (visibility === 'private') (await loadPrivateFiles()).toPrivateSettings(settings, values);
    },
    async open(options) {
      const values = await readSettings(settings);
      // Without loading the SDK of an engine that is not used.
      requireSettings(settings, values);
      return create(values, options);
    },
    openWith: async (values, options) => create(fillValues(settings, values), options),
  };
}
