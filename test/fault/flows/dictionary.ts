import { addDictItem } from '#shared/dict/items.ts';
import { addDictType } from '#shared/dict/types.ts';
import { keys } from '../../support/keys.ts';
import { newWord } from '../world/random.ts';
import type { Caller, World } from '../world/world.ts';
import { defineFlow, type Flow } from './flow.ts';

/** A type as the table holds it, with its items in the order of their values. */
interface Snapshot {
  type?: { name: unknown; enabled: unknown; version: unknown; item_count: unknown };
  items: { value: string; name: unknown; version: unknown }[];
}

interface State extends Caller {
  typeKey: string;
  before: string;
}

const base = '/adminapi/system/setting/dict';

async function read({ table }: World, typeKey: string): Promise<Snapshot> {
  const item = await table.get(keys.dictType(typeKey));
  const items = await table.list(keys.dictItems(typeKey));
  const { name, enabled, version, item_count } = item ?? {};
  if (item && item_count !== items.length) throw new Error(`counts ${item_count} items of ${items.length}`);
  if (!item && items.length > 0) throw new Error('items without their type');
  return {
    type: item && { name, enabled, version, item_count },
    items: items.map((found) => ({ value: String(found.sk), name: found.name, version: found.version })),
  };
}

/** The items of a type that readers must see. */
function toMap({ type, items }: Snapshot): Record<string, unknown> {
  return type?.enabled ? Object.fromEntries(items.map(({ value, name }) => [value, name])) : {};
}

interface Edit {
  name: string;
  path: string;
  body: Record<string, unknown>;
  /** Whether the stored data is the requested one. */
  isDone(now: Snapshot): boolean;
  conflicts?: readonly string[];
  /** Existing values. @default a, b */
  values?: readonly string[];
  /** Whether the flow itself creates the type. */
  isNew?: boolean;
  isGradual?: boolean;
}

const defineEdit = ({ path, body, isDone, values = ['a', 'b'], isNew, ...rest }: Edit): Flow<State> =>
  defineFlow<State>({
    ...rest,
    async prepare(world) {
      const caller = await world.takeAdmin();
      const typeKey = newWord();
      if (!isNew) await addDictType({ type_key: typeKey, name: 't', enabled: true });
      for (const value of values) await addDictItem({ type_key: typeKey, value, name: 'old' });
      return { ...caller, typeKey, before: JSON.stringify(await read(world, typeKey)) };
    },
    release: (world, caller) => world.giveBack(caller),
    act: ({ api }, { token, typeKey }) => api.post(`${base}/${path}`, { type_key: typeKey, ...body }, token),
    async look(world, { typeKey, before }) {
      const now = await read(world, typeKey);
      if (isDone(now)) return 'after';
      return JSON.stringify(now) === before ? 'before' : 'between';
    },
    async isShown(world, { token, typeKey }) {
      const query = { type: typeKey, map: '0' };
      const { data } = await world.steady.get('/adminapi/system/config/dict', query, token);
      const expected = toMap(await read(world, typeKey));
      const names = Object.keys(expected);
      return (
        names.length === Object.keys(data).length && names.every((value) => data[value] === expected[value])
      );
    },
    changes: ({ typeKey }) => [keys.dictType(typeKey)],
    isRecord: ({ fields }, { typeKey }) => fields.type_key === typeKey,
  });

const find = (now: Snapshot, value: string) => now.items.find((item) => item.value === value);
const many = Array.from({ length: 110 }, (_, index) => ({ value: `v${index}`, name: 'new' }));

export const dictionaryFlows: Flow[] = [
  defineEdit({
    name: 'an item is added',
    path: 'data/add',
    body: { value: 'c', name: 'new' },
    isDone: (now) => find(now, 'c')?.version === 1 && now.items.length === 3,
    conflicts: ['dict.value_exists'],
  }),
  defineEdit({
    name: 'an item is edited',
    path: 'data/edit',
    body: { value: 'a', name: 'new', version: 1 },
    isDone: (now) => find(now, 'a')?.name === 'new' && find(now, 'a')?.version === 2,
    conflicts: ['version_conflict'],
  }),
  defineEdit({
    name: 'the value of an item is changed',
    path: 'data/edit',
    body: { value: 'a', new_value: 'z', version: 1 },
    isDone: (now) => find(now, 'z')?.version === 2 && !find(now, 'a'),
    conflicts: ['dict.item_not_found'],
  }),
  defineEdit({
    name: 'an item is deleted',
    path: 'data/delete',
    body: { value: 'a' },
    isDone: (now) => !find(now, 'a') && now.items.length === 1,
    conflicts: ['dict.item_not_found'],
  }),
  defineEdit({
    name: 'items are imported',
    path: 'data/import',
    body: { items: many, mode: 'replace' },
    isDone: (now) => now.items.length === many.length && now.items.every(({ name }) => name === 'new'),
    isGradual: true,
  }),
  defineEdit({
    name: 'a type is added',
    path: 'type/add',
    body: { name: 'new', enabled: true },
    values: [],
    isNew: true,
    isDone: (now) => now.type?.name === 'new',
    conflicts: ['dict.type_exists'],
  }),
  defineEdit({
    name: 'a type is edited',
    path: 'type/edit',
    body: { name: 'new', enabled: false, version: 1 },
    isDone: (now) => now.type?.enabled === false && now.type.version === 2,
    conflicts: ['version_conflict'],
  }),
  defineEdit({
    name: 'a type is deleted',
    path: 'type/delete',
    body: {},
    values: [],
    isDone: (now) => now.type === undefined,
    conflicts: ['dict.type_not_found'],
  }),
];
