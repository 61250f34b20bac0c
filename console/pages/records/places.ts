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

/** Where the console shows a record: the detail on its page, unless its module declares another address. */
export function placeOf({ page, keys }: NamedRecord): RouteLocationRaw {
  const { path, to } = page;
  if (to === undefined) return { path: `/${path}`, hash: writeAddress({ action: 'detail', keys }) };
  const rest = [...keys];
  return `/${to.replaceAll('{}', () => encodeURIComponent(rest.shift() ?? ''))}`;
}
