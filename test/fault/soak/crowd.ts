import { addDictType } from '#shared/dict/types.ts';
import { keys } from '../../support/keys.ts';
import { defineFlow, type Flow } from '../flows/flow.ts';
import { newWord } from '../world/random.ts';
import type { Caller, World } from '../world/world.ts';

interface State extends Caller {
  value: string;
  name: string;
}

const path = '/adminapi/system/setting/dict/data';

/** Items that all workers add to one type, and take away from it: each has its own, and all count together. */
export async function createCrowd(): Promise<Flow[]> {
  const typeKey = newWord();
  await addDictType({ type_key: typeKey, name: 'crowd', enabled: true });
  const prepare = async ({ takeAdmin }: World): Promise<State> => ({
    ...(await takeAdmin()),
    value: newWord(),
    name: newWord(),
  });
  const find = ({ table }: World, { value }: State) => table.get(keys.dictItem(typeKey, value));
  const common = {
    release: (world: World, caller: Caller) => world.giveBack(caller),
    async isShown(world: World, state: State) {
      const query = { type_key: typeKey, value: state.value };
      const { status } = await world.steady.get(`${path}/detail`, query, state.token);
      return (status === 200) === ((await find(world, state)) !== undefined);
    },
    changes: () => [keys.dictType(typeKey)],
  };
  const add = ({ api }: Pick<World, 'api'>, { token, value, name }: State) =>
    api.post(`${path}/add`, { type_key: typeKey, value, name }, token);
  return [
    defineFlow<State>({
      ...common,
      name: 'an item is added to what many change',
      prepare,
      act: add,
      look: async (world, state) => ((await find(world, state)) ? 'after' : 'before'),
      conflicts: ['dict.value_exists'],
    }),
    defineFlow<State>({
      ...common,
      name: 'an item is taken from what many change',
      async prepare(world) {
        const state = await prepare(world);
        await add({ api: world.steady }, state);
        return state;
      },
      act: ({ api }, { token, value }) => api.post(`${path}/delete`, { type_key: typeKey, value }, token),
      look: async (world, state) => ((await find(world, state)) ? 'before' : 'after'),
      conflicts: ['dict.item_not_found'],
    }),
  ];
}
