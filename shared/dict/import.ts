import * as z from 'zod/mini';
import { removeRow, replaceRow, toItem } from '#shared/db/entity.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { getItems, transact, type Write } from '#shared/db/items.ts';
import { countItems as countWrites } from '#shared/db/revisions/keep.ts';
import { transactionLimit } from '#shared/db/write.ts';
import { putNew, withoutUndefined } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { createImportLock, type ImportLock } from './import-lock.ts';
import { countItems, createDictItem, dictItems, listDictItems, valueInUse } from './items.ts';
import { type DictItem, maxItemsPerType, newDictItem } from './schema.ts';
import { deleteDictType, getDictType } from './types.ts';
import { checkUnused, usageTotalKey } from './usage.ts';

export const importItem = z.omit(newDictItem, { type_key: true, remark: true });
export type ImportItem = z.infer<typeof importItem>;

/** `merge` adds and changes; `replace` also removes what is not listed. */
export const importModes = ['merge', 'replace'] as const;
type ImportMode = (typeof importModes)[number];

type ImportResult = Record<'added' | 'changed' | 'removed', number>;

/** One item (a write, or a removal with its check), or a transaction of several. */
interface Step {
  writes: Write[];
  /** Change of the item count. */
  counts: number;
}

/** Writes of each transaction that are for the item count and the lock. */
const reserved = 2;

/** Attempts of an import that conflicts with other writers. */
const tries = 5;

/**
 * Writes a list of items to a type, in transactions of up to `transactionLimit` writes, in order. It skips items that
 * are already as listed, so a repeat finishes an interrupted import. Only one import of a type runs at a time.
 *
 * @param items at most 5,000, each value once
 * @throws AppError `dict.type_not_found`; `dict.import_running`; `dict.type_full`; `dict.value_in_use`, before any
 *   write, if `replace` would remove a value that records use; `version_conflict` if others keep writing
 */
export async function importDictItems(
  typeKey: string,
  items: ImportItem[],
  mode: ImportMode,
): Promise<ImportResult> {
  await getDictType(typeKey);
  const lock = createImportLock(typeKey, [mode, items]);
  await lock.take();
  try {
    return await runImport(typeKey, items, mode, lock);
  } catch (error) {
    await lock.tryRelease();
    throw error;
  }
}

async function runImport(
  typeKey: string,
  items: ImportItem[],
  mode: ImportMode,
  lock: ImportLock,
): Promise<ImportResult> {
  let total: ImportResult | undefined;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const { steps, ...counts } = await makePlan(typeKey, items, mode);
    total ??= counts;
    try {
      await execute(toBatches(typeKey, steps), lock);
      return total;
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      // Another writer was faster, or the lock is lost: take it again and plan the rest.
      await getDictType(typeKey);
      await lock.take();
    }
  }
  throw new AppError('version_conflict');
}

async function makePlan(typeKey: string, items: ImportItem[], mode: ImportMode) {
  const stored = new Map((await listDictItems(typeKey)).map((item) => [item.value, item]));
  const steps: Step[] = [];
  const plan = { added: 0, changed: 0, removed: 0, steps };
  for (const item of items) {
    const old = stored.get(item.value);
    if (!old) {
      plan.added += 1;
      const added = createDictItem({ ...item, type_key: typeKey });
      plan.steps.push({ writes: [putNew(toItem(dictItems, added))], counts: 1 });
    } else if (isChanged(old, item)) {
      plan.changed += 1;
      plan.steps.push({ writes: [replaceRow(dictItems, old, withoutUndefined(item))], counts: 0 });
    }
    stored.delete(item.value);
  }
  const removed = mode === 'replace' ? [...stored.values()] : [];
  await assertUnused(
    typeKey,
    removed.map(({ value }) => value),
  );
  plan.removed = removed.length;
  const removals = removed.map((old) => ({
    // A change of the item since is a reason to plan again, not to refuse.
    writes: [{ ...removeRow(dictItems, old), refusal: undefined }, checkUnused(typeKey, old.value)],
    counts: -1,
  }));
  const countBeforeRemovals = stored.size + items.length;
  if (countBeforeRemovals - plan.removed > maxItemsPerType) {
    throw new AppError('dict.type_full', { params: { limit: maxItemsPerType } });
  }
  // Add first, so that readers miss nothing; remove first only if the type has no room for both.
  const isCrowded = countBeforeRemovals > maxItemsPerType;
  plan.steps = isCrowded ? [...removals, ...plan.steps] : [...plan.steps, ...removals];
  return plan;
}

/** Divides the steps into transactions, in order, each with its change of the item count. */
function toBatches(typeKey: string, steps: Step[]): Write[][] {
  const batches: Step[] = [];
  for (const { writes, counts } of steps) {
    let batch = batches.at(-1);
    if (!batch || countWrites([...batch.writes, ...writes]) > transactionLimit - reserved) {
      batch = { writes: [], counts: 0 };
      batches.push(batch);
    }
    batch.writes.push(...writes);
    batch.counts += counts;
  }
  return batches.map(({ writes, counts }) =>
    counts === 0 ? writes : [...writes, countItems(typeKey, counts)],
  );
}

async function execute(batches: Write[][], lock: ImportLock): Promise<void> {
  if (batches.length === 0) return lock.tryRelease();
  for (const [index, writes] of batches.entries()) {
    const isLast = index === batches.length - 1;
    await transact([...writes, isLast ? lock.release() : lock.keep()]);
  }
}

function isChanged(old: DictItem, item: ImportItem): boolean {
  const { name, sort = old.sort, status = old.status } = item;
  return old.name !== name || old.sort !== sort || old.status !== status;
}

/** Refuses the import before any write; the transactions check again. */
async function assertUnused(typeKey: string, values: string[]): Promise<void> {
  const totals = await getItems(values.map((value) => usageTotalKey(typeKey, value)));
  const used = new Set(totals.filter((item) => Number(item.count) > 0).map((item) => item.pk));
  const value = values.find((candidate) => used.has(usageTotalKey(typeKey, candidate).pk));
  if (value !== undefined) throw await valueInUse(typeKey, value);
}

/**
 * Removes a dictionary with all its items, by an import that replaces them with none. A repeat finishes the removal.
 *
 * @returns whether the dictionary existed
 * @throws AppError as {@link importDictItems}; `dict.type_not_empty` if others keep writing
 */
export async function removeDictionary(typeKey: string): Promise<boolean> {
  try {
    await importDictItems(typeKey, [], 'replace');
    await deleteDictType(typeKey);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'dict.type_not_found') return false;
    throw error;
  }
}
