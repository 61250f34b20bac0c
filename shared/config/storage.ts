/** Storage engines, by the name in the setting `storage.default` and in file records. */
export const engineNames = ['local', 'qiniu', 'aliyun', 'qcloud'] as const;
export type EngineName = (typeof engineNames)[number];

const common = ['bucket', 'access_key', 'secret_key', 'domain'];
const required: Record<EngineName, readonly string[]> = {
  local: [],
  qiniu: common,
  aliyun: common,
  qcloud: [...common, 'region'],
};

/**
 * The settings that an engine needs and that are not set.
 *
 * @param settings values of the engine's group of settings
 */
export function listMissingSettings(engine: EngineName, settings: object): string[] {
  const values = new Map(Object.entries(settings));
  return required[engine].filter((name) => !values.get(name));
}
