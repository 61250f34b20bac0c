import { engineNames, listMissingSettings } from '#shared/config/storage.ts';
import type { ErrorDetail } from '#shared/errors/app-error.ts';
import { line } from '#shared/schema/line.ts';
import { type ConfigGroup, defineConfigGroup, setting } from '#shared/settings/group.ts';
import { openValues, readStored } from '#shared/settings/store.ts';
import { aliyun } from './engines/aliyun/settings.ts';
import { qcloud } from './engines/qcloud/settings.ts';
import { qiniu } from './engines/qiniu/settings.ts';

const clouds: readonly ConfigGroup[] = [qiniu, aliyun, qcloud];

/** Where new files are stored. */
export const storage = defineConfigGroup({
  name: 'storage',
  keys: {
    // The schema takes any word: a stored one that names no engine must not be read as "not set".
    default: setting({
      schema: line(32),
      default: '',
      description: {
        zh_CN: '默认存储引擎：local、qiniu、aliyun 或 qcloud；留空为 local',
        en: 'Engine of new files: local, qiniu, aliyun or qcloud; local if empty',
      },
    }),
  },
  findFaults: (given) => (Object.hasOwn(given, 'default') ? findEngineFaults(String(given.default)) : []),
});

/** Finds why an engine cannot be the default: it does not exist, or lacks settings. */
async function findEngineFaults(chosen: string): Promise<ErrorDetail[]> {
  const engine = engineNames.find((name) => name === (chosen || 'local'));
  if (!engine) return [{ path: 'storage.default', message: 'rule.storage_engine' }];
  const group = clouds.find(({ name }) => name === engine);
  if (!group) return [];
  const values = openValues(group, await readStored(group.name));
  return listMissingSettings(engine, values).map((name) => ({
    path: `${engine}.${name}`,
    message: 'rule.needed_setting',
  }));
}
