import fc from 'fast-check';
import * as z from 'zod/mini';
import type { Change, Note } from '#cli/config-file/changes.ts';
import type { ConfigFile, FileItem, FileRole, FileType } from '#cli/config-file/format.ts';
import { planConfig } from '#cli/config-file/plan.ts';
import type { Stage, StageGroup } from '#cli/config-file/stage.ts';
import type { Permission } from '#shared/auth/permission.ts';
import { createDictItem } from '#shared/dict/items.ts';
import { createDictType } from '#shared/dict/types.ts';
import { line } from '#shared/schema/text.ts';
import { type ConfigGroup, defineConfigGroup, setting, textSetting } from '#shared/settings/group.ts';

// Random stages, and a stage in memory that changes are applied to.

/** Begins every secret of a random stage. */
export const marker = 'planted-secret';

export const groups: ConfigGroup[] = [
  defineConfigGroup({
    name: 'mail',
    keys: {
      host: textSetting(line(50), '地址', 'Host', { endpoint: true }),
      password: textSetting(line(50), '密码', 'Password', { secret: true }),
      sender: textSetting(line(50), '发件人', 'Sender'),
    },
  }),
  defineConfigGroup({
    name: 'page',
    keys: {
      title: textSetting(line(50), '标题', 'Title'),
      size: setting({ schema: z.int(), default: 20, description: { zh_CN: '行数', en: 'Rows' } }),
      wide: setting({ schema: z.boolean(), default: false, description: { zh_CN: '宽', en: 'Wide' } }),
    },
  }),
];

export const permissions: Permission[] = ['shop/order/list', 'shop/order/edit', 'system/role/list'].flatMap(
  (path): Permission[] => [
    { path, kind: 'read' },
    { path, kind: 'write' },
  ],
);

const word = fc.constantFrom('a', 'b', 'c', 'Ä', '名', "it's");
const remark = fc.constantFrom('', 'one', 'two\nlines');
const item: fc.Arbitrary<FileItem> = fc.record({
  value: fc.constantFrom('1', '2', '10', '__proto__', 'constructor', 'x y'),
  name: word,
  sort: fc.integer({ min: -3, max: 3 }),
  status: fc.constantFrom('enabled', 'disabled'),
  remark,
});
const type: fc.Arbitrary<FileType> = fc.record({
  type_key: fc.constantFrom('colour', 'size', 'constructor', 'seeded'),
  name: word,
  enabled: fc.boolean(),
  public: fc.boolean(),
  remark,
  items: fc.uniqueArray(item, { selector: ({ value }) => value }),
});
const grant = fc.constantFrom('shop:read', 'shop:write', 'shop/order/edit:write', 'system/role/list:read');
const role: fc.Arbitrary<FileRole> = fc.record({
  name: fc.constantFrom('editor', 'Auditor', '__proto__', '经理'),
  remark,
  grants: fc.uniqueArray(grant),
});
const settings = fc.record(
  {
    mail: fc.record({ host: word, sender: word }, { requiredKeys: [] }),
    page: fc.record({ title: word, size: fc.integer(), wide: fc.boolean() }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

/** Content of a stage that a file can have. */
export const content: fc.Arbitrary<Omit<ConfigFile, 'format'>> = fc.record({
  dictionaries: fc.uniqueArray(type, { selector: ({ type_key }) => type_key }),
  roles: fc.uniqueArray(role, { selector: ({ name }) => name }),
  settings,
  secrets: fc.subarray(['mail.password']),
});

/** What the plan must leave alone, besides secrets. */
export const circumstances = fc.record({
  used: fc.uniqueArray(fc.constantFrom('colour:1', 'size:2', 'colour:x y', 'seeded:__proto__')),
  held: fc.uniqueArray(fc.constantFrom('editor', '__proto__')),
});
export type Circumstances = { used: string[]; held: string[] };

/** A stage with this content. */
export function createStage(
  given: Omit<ConfigFile, 'format'>,
  { held }: Pick<Circumstances, 'held'> = { held: [] },
): Stage {
  const at = new Date(0).toISOString();
  return {
    types: given.dictionaries.map(({ items, ...type }) => ({
      ...createDictType(type),
      item_count: items.length,
      items: items.map((each) => createDictItem({ ...each, type_key: type.type_key })),
    })),
    roles: given.roles.map((each, index) => ({
      ...each,
      id: `ID${index}`,
      version: 1,
      admin_count: held.includes(each.name) ? 1 : 0,
      created_at: at,
      updated_at: at,
    })),
    groups: groups.map((group) => createGroup(group, given)),
    permissions,
    seeded: new Set(['seeded']),
  };
}

function createGroup(
  group: ConfigGroup,
  { settings, secrets }: Pick<ConfigFile, 'settings' | 'secrets'>,
): StageGroup {
  const stored: Record<string, unknown> = { ...settings[group.name] };
  const values: Record<string, unknown> = {};
  for (const [key, { secret, default: fallback }] of Object.entries(group.keys)) {
    if (!secret) values[key] = stored[key] ?? fallback;
    else if (secrets.includes(`${group.name}.${key}`)) stored[key] = `${marker}-${key}`;
  }
  return { group, stored, values };
}

/** Values in use, by type. */
export const toUsed = ({ used }: Circumstances): Map<string, Set<string>> => {
  const byType = Map.groupBy(used, (each) => each.split(':')[0] ?? '');
  return new Map(
    [...byType].map(([key, list]) => [key, new Set(list.map((each) => each.slice(key.length + 1)))]),
  );
};

export const planFor = (stage: Stage, file: ConfigFile, prune: boolean, given: Circumstances) =>
  planConfig(stage, file, { prune, used: toUsed(given) });

/** Makes a change in memory. @throws Error if the stage is not as the plan has seen it */
export function applyTo(stage: Stage, change: Change): void {
  switch (change.kind) {
    case 'type': {
      const { old, now } = change;
      const stored = stage.types.find(({ type_key }) => type_key === (old ?? now)?.type_key);
      if (stored && !now && stored.items.length > 0) throw new Error('the type is not empty');
      const next = now && { ...createDictType(now), items: stored?.items ?? [] };
      stage.types = replace(stage.types, stored, old, next);
      break;
    }
    case 'item': {
      const { type_key, old, now } = change;
      const type = stage.types.find((each) => each.type_key === type_key);
      if (!type) throw new Error('the type does not exist');
      const stored = type.items.find(({ value }) => value === (old ?? now)?.value);
      type.items = replace(type.items, stored, old, now && createDictItem({ ...now, type_key }));
      break;
    }
    case 'role': {
      const { old, now } = change;
      const stored = stage.roles.find(({ name }) => name === (old ?? now)?.name);
      if (!now && stored && stored.admin_count > 0) throw new Error('the role is in use');
      const rest = stored ?? { id: 'NEW', version: 0, admin_count: 0, created_at: '', updated_at: '' };
      stage.roles = replace(stage.roles, stored, old, now && { ...rest, ...now });
      break;
    }
    case 'settings': {
      const { group } = change.old;
      stage.groups = stage.groups.map((each) =>
        each.group.name === group.name
          ? { group, stored: { ...each.stored, ...change.now }, values: { ...each.values, ...change.now } }
          : each,
      );
    }
  }
}

function replace<Row extends object>(
  list: readonly Row[],
  stored: Row | undefined,
  expected: object | undefined,
  next: Row | undefined,
): Row[] {
  if ((stored === undefined) !== (expected === undefined)) throw new Error('the record is not as expected');
  return [...list.filter((each) => each !== stored), ...(next ? [next] : [])];
}

/** Whether a record may differ, because the plan says that it or its dictionary stays as it is. */
export const isLeft = (left: readonly Note[], record: string): boolean =>
  left.some(
    (note) => note.record === record || note.record === record.replace(/^dict:([^:]+):.*$/s, 'dict_type:$1'),
  );
