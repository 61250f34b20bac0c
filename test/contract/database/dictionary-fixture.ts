import type { ImportItem } from '#shared/dict/import.ts';
import { addDictItem, listDictItems, type NewDictItem } from '#shared/dict/items.ts';
import { addDictType, getDictType, type NewDictType } from '#shared/dict/types.ts';
import { randomLetters } from '../../support/database.ts';

/** Creates an enabled type with a unique key; returns the key. */
export async function createType(input: Partial<NewDictType> = {}): Promise<string> {
  const { type_key } = await addDictType({
    type_key: randomLetters(),
    name: '类型',
    enabled: true,
    ...input,
  });
  return type_key;
}

/** Creates an enabled type with an item of each value. */
export async function createTypeWith(values: readonly string[]): Promise<string> {
  const typeKey = await createType();
  for (const value of values) await addDictItem(newItem(typeKey, value));
  return typeKey;
}

/** An item named as its value. */
export const newItem = (type_key: string, value: string): NewDictItem => ({ type_key, value, name: value });

/** Items `a0`, `a1`, … to import. */
export const numberedItems = (prefix: string, count: number): ImportItem[] =>
  Array.from({ length: count }, (_, index) => ({ value: `${prefix}${index}`, name: `名称 ${index}` }));

/** The stored values of a type in order, and its count. */
export async function readStored(typeKey: string): Promise<{ values: string[]; item_count: number }> {
  const [items, { item_count }] = await Promise.all([listDictItems(typeKey), getDictType(typeKey)]);
  return { values: items.map(({ value }) => value), item_count };
}

/** Values that careless code changes or fails on. */
export const awkwardValues = [
  ...[' ', '"', '#', '#total', '%', '007', '1e3', '7', "a'b\\c", 'constructor', 'null', 'toString'],
  ...['__proto__', 'x'.repeat(64), '~'],
];
