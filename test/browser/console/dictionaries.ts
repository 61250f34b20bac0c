import * as z from 'zod/mini';
import type { Desk } from './fixture.ts';

const items = z.object({
  total: z.number(),
  list: z.array(z.object({ value: z.string(), name: z.string(), sort: z.number(), remark: z.string() })),
});

/** Items in the order of the dictionary. */
export async function readItems(desk: Pick<Desk, 'call'>, type: string) {
  const query = `type_key=${type}&page_size=200`;
  return z.parse(items, await desk.call(`system/setting/dict/data/list?${query}`));
}

/** Adds a type with these items, in this order. Their values are the names in small letters. */
export async function addItems(
  desk: Pick<Desk, 'call'>,
  type: string,
  names: readonly string[],
): Promise<void> {
  const added = { type_key: type, name: type, enabled: true, public: true };
  await desk.call('system/setting/dict/type/add', added);
  const list = names.map((name, index) => ({ value: name.toLowerCase(), name, sort: 100 - 10 * index }));
  await desk.call('system/setting/dict/data/import', { type_key: type, items: list, mode: 'merge' });
}
