import type { ConfigGroup } from '#shared/settings/group.ts';
import { openValues, readSettings } from '#shared/settings/store.ts';
import { qcloud } from '#shared/storage/engines/qcloud/settings.ts';
import { qiniu } from '#shared/storage/engines/qiniu/settings.ts';
import { keys } from '../../support/keys.ts';
import { newWord } from '../world/random.ts';
import type { Caller, World } from '../world/world.ts';
import { defineFlow, type Flow } from './flow.ts';

interface State extends Caller {
  group: ConfigGroup;
  values: Record<string, string>;
  before: string;
}

/** Groups that nothing here reads for its own sake, each for one run at a time. */
const free: ConfigGroup[] = [qiniu, qcloud];
const names = ['bucket', 'access_key', 'secret_key'];

/** The stored values of a group, secrets decrypted. */
async function read({ table }: World, group: ConfigGroup): Promise<Record<string, unknown>> {
  const items = await table.list(keys.configs(group.name));
  return openValues(group, Object.fromEntries(items.map((item) => [String(item.sk), item.value])));
}

const project = (values: Record<string, unknown>) => JSON.stringify(names.map((name) => values[name]));

const saveSettings = defineFlow<State>({
  name: 'settings are saved',
  isTriedCold: true,
  async prepare(world) {
    const group = free.pop();
    if (!group) throw new Error('more runs at a time than there are groups');
    const values = Object.fromEntries(names.map((name) => [name, newWord()]));
    if (group === qcloud) values.bucket = `${values.bucket}-1250000000`;
    const caller = await world.takeAdmin();
    return { ...caller, group, values, before: project(await read(world, group)) };
  },
  act: ({ api }, { token, group: { name }, values }) =>
    api.post('/adminapi/system/setting/config/save', { group: name, values }, token),
  async look(world, { group, values, before }) {
    const now = project(await read(world, group));
    if (now === project(values)) return 'after';
    return now === before ? 'before' : 'between';
  },
  async isShown(world, { group }) {
    const cached: Record<string, unknown> = await readSettings(group);
    return project(cached) === project(await read(world, group));
  },
  atOnce: free.length,
  release(world, state) {
    free.push(state.group);
    world.giveBack(state);
  },
  isRecord: ({ fields }, { group }) => fields.group === group.name,
  changes: ({ group }) => names.map((name) => keys.config(group.name, name)),
});

export const settingsFlows: Flow[] = [saveSettings];
