import { maxItemsPerType } from '#shared/dict/schema.ts';
import { type Change, compare, type Note, notInFile, type Plan, type PlanOptions } from './changes.ts';
import { type ConfigFile, type FileItem, type FileType, toFileItem, toFileType } from './format.ts';
import type { Stage, StageType } from './stage.ts';

export function planDictionaries(
  { types, seeded }: Pick<Stage, 'types' | 'seeded'>,
  { dictionaries }: Pick<ConfigFile, 'dictionaries'>,
  options: PlanOptions,
): Plan {
  const stored = new Map(types.map((type) => [type.type_key, type]));
  const wanted = new Set(dictionaries.map(({ type_key }) => type_key));
  const parts = [
    ...dictionaries.map((type) => planType(stored.get(type.type_key), type, options)),
    ...types
      .filter(({ type_key }) => !wanted.has(type_key))
      .map((type) => planRemoval(type, seeded.has(type.type_key), options)),
  ];
  return {
    changes: parts.flatMap(({ changes = [] }) => changes),
    left: parts.flatMap(({ left = [] }) => left),
    faults: parts.flatMap(({ faults = [] }) => faults),
  };
}

const nameType = (typeKey: string): string => `dict_type:${typeKey}`;
const nameItem = (typeKey: string, value: string): string => `dict:${typeKey}:${value}`;

function planType(old: StageType | undefined, type: FileType, { prune, used }: PlanOptions): Partial<Plan> {
  const { type_key } = type;
  const now = toFileType(type);
  const fields = compare(old && toFileType(old), now);
  const own: Change[] =
    fields.length > 0 ? [{ record: nameType(type_key), kind: 'type', fields, old, now }] : [];
  const stored = new Map(old?.items.map((item) => [item.value, item]));
  const written = type.items.flatMap((item) => planItem(type_key, stored.get(item.value), item));
  const values = new Set(type.items.map(({ value }) => value));
  const others = old?.items.filter(({ value }) => !values.has(value)) ?? [];
  const isUsed = (value: string) => used.get(type_key)?.has(value) ?? false;
  const removed = prune ? others.filter(({ value }) => !isUsed(value)) : [];
  const removals = removed.flatMap((item) => planItem(type_key, item, undefined));
  const most = others.length + values.size;
  if (most - removed.length > maxItemsPerType) {
    const reason = `it would have more than ${maxItemsPerType} items`;
    return { faults: [{ record: nameType(type_key), reason }] };
  }
  // Add first, so that readers miss nothing; remove first only if the type has no room for both.
  const items = most > maxItemsPerType ? [...removals, ...written] : [...written, ...removals];
  const left: Note[] = others
    .filter((item) => !removed.includes(item))
    .map(({ value }) => ({
      record: nameItem(type_key, value),
      reason: prune ? 'records use it' : notInFile,
    }));
  return { changes: [...own, ...items], left };
}

function planItem(
  type_key: string,
  old: StageType['items'][number] | undefined,
  now: FileItem | undefined,
): Change[] {
  const value = old?.value ?? now?.value ?? '';
  const fields = compare(old && toFileItem(old), now);
  return fields.length > 0
    ? [{ record: nameItem(type_key, value), kind: 'item', type_key, fields, old, now }]
    : [];
}

/** A type goes with all its items, or stays as it is. */
function planRemoval(type: StageType, isSeeded: boolean, { prune, used }: PlanOptions): Partial<Plan> {
  const { type_key, items } = type;
  const record = nameType(type_key);
  const leave = (reason: string) => ({ left: [{ record, reason }] });
  if (!prune) return leave(notInFile);
  if (isSeeded) return leave('not in the file; a module creates it at every installation');
  const inUse = items.filter(({ value }) => used.get(type_key)?.has(value)).map(({ value }) => value);
  if (inUse.length > 0) return leave(`not in the file; records use ${inUse.join(', ')}`);
  const own: Change = {
    record,
    kind: 'type',
    old: type,
    now: undefined,
    fields: compare(toFileType(type), undefined),
  };
  return { changes: [...items.flatMap((item) => planItem(type_key, item, undefined)), own] };
}
