import type { useConsole } from '#console/kit/context.ts';
import { planOrder, type Sortable } from './move.ts';
import type { DictItem } from './records.ts';

/** Above this, one import is quicker than an edit of each item. */
const mostEdits = 20;

/** Stores new values of `sort`. @param items all of the type, as they were read @throws ApiError */
export async function storeOrder(
  client: ReturnType<typeof useConsole>['client'],
  items: readonly DictItem[],
  plan: readonly Sortable[],
): Promise<void> {
  const byValue = new Map(items.map((item) => [item.value, item]));
  const changed = plan.flatMap(({ value, sort }) => {
    const item = byValue.get(value);
    return item ? [{ ...item, sort }] : [];
  });
  const [first] = changed;
  if (!first) return;
  if (changed.length > mostEdits) {
    const listed = changed.map(({ value, name, sort }) => ({ value, name, sort }));
    await client.systemAdminSettingDictDataImport({ type_key: first.type_key, items: listed, mode: 'merge' });
    return;
  }
  for (const { type_key, value, version, sort } of changed) {
    await client.systemAdminSettingDictDataEdit({ type_key, value, version, sort });
  }
}

/**
 * Makes room for a new item at the end.
 *
 * @param items all of the type, as they were read
 * @param canEdit without the right to edit, items that leave no room stay as they are
 * @returns `sort` of the new item, and whether others were renumbered
 * @throws ApiError
 */
export async function makeRoom(
  client: ReturnType<typeof useConsole>['client'],
  items: readonly DictItem[],
  canEdit: boolean,
): Promise<{ sort: number; isRenumbered: boolean }> {
  const own = '';
  const plan = planOrder([...items, { value: own }]);
  const sort = plan.find(({ value }) => value === own)?.sort ?? 0;
  const others = plan.filter(({ value }) => value !== own);
  if (others.length === 0) return { sort, isRenumbered: false };
  if (!canEdit) return { sort: 0, isRenumbered: false };
  await storeOrder(client, items, others);
  return { sort, isRenumbered: true };
}
