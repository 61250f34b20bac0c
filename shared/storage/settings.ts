import type { ErrorDetail } from '#shared/errors/app-error.ts';
import { line } from '#shared/schema/text.ts';
import { defineConfigGroup, setting } from '#shared/settings/group.ts';
import { openValues, readStored } from '#shared/settings/store.ts';
import type { Engine } from './engine.ts';
import { listMissing } from './engines/cloud-settings.ts';
import { engineNames, engines, findEngineName } from './engines.ts';

const [last = '', ...others] = engineNames.toReversed();
const listNames = (comma: string, or: string) => `${others.toReversed().join(comma)} ${or} ${last}`;

/** Where new files are stored. */
export const storage = defineConfigGroup({
  name: 'storage',
  keys: {
    // The schema accepts any word: a stored name that is unknown must not be read as "not set".
    default: setting({
      schema: line(32),
      default: '',
      description: {
        zh_CN: `默认存储引擎：${listNames('、', '或')}；留空为 local`,
        en: `Engine of new files: ${listNames(', ', 'or')}; local if empty`,
      },
    }),
  },
  findFaults: (given) => (Object.hasOwn(given, 'default') ? findEngineFaults(String(given.default)) : []),
});

/** An engine cannot be the default if it does not exist or lacks settings. */
async function findEngineFaults(chosen: string): Promise<ErrorDetail[]> {
  const name = findEngineName(chosen);
  if (!name) return [{ path: 'storage.default', message: 'rule.storage_engine' }];
  const engine: Engine = engines[name];
  if (!engine.settings) return [];
  const values = openValues(engine.settings, await readStored(name));
  return listMissing(engine, values).map((missing) => ({
    path: `${name}.${missing}`,
    message: 'rule.needed_setting',
  }));
}
