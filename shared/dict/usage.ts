import { type Key, queryPartition, type Refusal, type Write } from '#shared/db/items.ts';
import { changeItem, checkItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import type { ErrorDetail } from '#shared/errors/app-error.ts';
import { dictItemKey } from './read-schema.ts';

/** Counts the references of one module to a value. */
const usageKey = (typeKey: string, value: string, module: string): Key => ({
  pk: `USAGE#${typeKey}#${value}`,
  sk: module,
});
/** Counts the references of all modules. */
export const usageTotalKey = (typeKey: string, value: string): Key => usageKey(typeKey, value, '#total');

/**
 * Writes for the transaction of a record that begins to use a value: two counters, and the check that the value exists.
 *
 * @param module route prefix of the record's module
 */
export function addUsage(typeKey: string, value: string, module: string, refusal?: Refusal): Write[] {
  const check = checkItem(dictItemKey({ type_key: typeKey, value }), { expect: {} }, refusal);
  return [check, ...countUsage(typeKey, value, module, 1)];
}

/** Writes for the transaction of a record that no longer uses a dictionary value. */
export function removeUsage(typeKey: string, value: string, module: string): Write[] {
  return countUsage(typeKey, value, module, -1);
}

/** Writes that count uses of a value. @param by how many more, or fewer */
export function countUsage(typeKey: string, value: string, module: string, by: number): Write[] {
  const counters = [usageKey(typeKey, value, module), usageTotalKey(typeKey, value)];
  return counters.map((key) => changeItem(key, { add: { count: by } }));
}

/** The check that no record uses a value, for the transaction that removes it. */
export const checkUnused = (typeKey: string, value: string, refusal?: Refusal): Write =>
  checkItem(usageTotalKey(typeKey, value), { atMost: { count: 0 } }, refusal);

/** References to a value, as answered under `errors`: path = module, message = count. */
export async function listUsages(typeKey: string, value: string): Promise<ErrorDetail[]> {
  const items = await queryPartition(usageTotalKey(typeKey, value).pk);
  const total = usageTotalKey(typeKey, value).sk;
  return items
    .filter((item) => item.sk !== total && Number(item.count) > 0)
    .map((item) => ({ path: String(item.sk), message: String(item.count) }));
}

export const writtenKeys: ListWrittenKeys = () => [usageKey('*', '*', '').pk];
