import type { RouteLocationRaw } from 'vue-router';
import type { ConsoleDescription, PageDescription } from '#functions/console/description.ts';
import { writeAddress } from '../address.ts';

/** A record that an entry names. */
export interface NamedRecord {
  page: PageDescription;
  keys: string[];
}

/** Reads the name of a record in the log: `article:01J…`. @returns undefined if no page has such records */
export function readTarget(
  target: string,
  { pages }: Pick<ConsoleDescription, 'pages'>,
): NamedRecord | undefined {
  const [kind, ...rest] = target.split(':');
  const page = pages.find(({ records }) => records === kind);
  if (!page || rest.length === 0) return undefined;
  const count = page.actions.find(({ takes }) => takes === 'id')?.keys.length ?? 1;
  // The last key may have colons of its own.
  return { page, keys: [...rest.slice(0, count - 1), rest.slice(count - 1).join(':')] };
}

/** Pages that show a record in another way than by a detail. */
const places: Record<string, (keys: string[]) => RouteLocationRaw | undefined> = {
  'system/setting/config': ([group]) => ({ path: '/system/setting/config', query: { group } }),
  'system/setting/dict/type': ([type_key]) => ({ path: '/system/setting/dict/type', query: { type_key } }),
  'system/setting/dict/data': ([type_key]) => ({ path: '/system/setting/dict/type', query: { type_key } }),
  'system/file/category': ([cid]) => ({ path: '/system/file', query: { cid } }),
};

/** Where the console shows a record. */
export const placeOf = ({ page, keys }: NamedRecord): RouteLocationRaw | undefined =>
  places[page.path]
    ? places[page.path]?.(keys)
    : { path: `/${page.path}`, hash: writeAddress({ action: 'detail', keys }) };
