import type { Field, PageDescription } from '#functions/console/description.ts';
import { call } from '../../base/api.ts';
import { description } from '../../base/description.ts';
import { type ListPage, readPage, toParameters } from '../../base/list-page.ts';
import { localise } from '../../base/locale.ts';
import { readMember } from '../../fields/kind.ts';
import { kindOf } from '../../fields/kinds.ts';
import { nameFields, recordName } from '../../fields/record-name.ts';
import { writeAddress } from '../../pages/address.ts';
import { pageKeys } from '../../pages/generated-actions.ts';
import { type Page, pages } from '../pages.ts';
import type { Entry } from './entries.ts';

/** Lists that are read at the same time. */
const atOnce = 3;
/** Records that a list answers to a search of its own, and its newest that are compared here. */
const rowsOf = { searched: 8, compared: 50 };

/** A list whose records have names, and which can be read without further filters. */
interface Source {
  page: Page;
  described: PageDescription;
  keys: string[];
}

function listSources(): Source[] {
  return pages.value.flatMap((page) => {
    const described = description.value?.pages.find(({ path }) => path === page.path);
    if (!described) return [];
    // A log has entries, not records.
    if (!described.actions.some(({ method }) => method === 'POST')) return [];
    const { item, query } = described.list;
    const keys = pageKeys(described);
    const hasName = item.some(({ name }) => nameFields.includes(name));
    const isOpen = query.every((field) => !field.required || field.default !== undefined);
    return hasName && isOpen && keys.length > 0 ? [{ page, described, keys }] : [];
  });
}

/** Searches records by name. Lists that are read once are kept, so keep one search while the palette is open. */
export function createRecordSearch() {
  const newest = new Map<string, Promise<ListPage>>();

  /** The newest records of a list without a search of its own. Other texts are compared with the same. */
  function readNewest({ described: { list } }: Source): Promise<ListPage> {
    const known = newest.get(list.path);
    if (known) return known;
    const read = readList(list, {}, rowsOf.compared);
    newest.set(list.path, read);
    read.catch(() => newest.delete(list.path));
    return read;
  }

  async function search(source: Source, text: string, signal: AbortSignal): Promise<Entry[]> {
    const { list } = source.described;
    const searching = list.query.find(({ name }) => name === 'search' || name === 'keyword');
    if (searching) {
      const { rows } = await readList(list, { [searching.name]: text }, rowsOf.searched, signal);
      return rows.map((row) => toEntry(source, row));
    }
    const { rows, nextCursor } = await readNewest(source);
    const found = rows.filter((row) => namesOf(row).includes(text.toLowerCase()));
    // Older ones are found by a filter that compares the whole value.
    const exact = list.query.find((field) => isExact(field, source, text));
    const older =
      nextCursor === undefined || !exact ? [] : [await readList(list, { [exact.name]: text }, 1, signal)];
    return [...older.flatMap((page) => page.rows), ...found]
      .slice(0, rowsOf.searched)
      .map((row) => toEntry(source, row));
  }

  /**
   * @param show gets what was found in one list after the other
   * @returns whether all lists answered
   */
  return async (text: string, signal: AbortSignal, show: (found: Entry[]) => void): Promise<boolean> => {
    const waiting = listSources();
    let isWhole = true;
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) {
        try {
          const found = await search(next, text, signal);
          if (!signal.aborted) show(found);
        } catch {
          // One list that fails does not hide what the others have.
          isWhole = false;
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return isWhole;
  };
}

async function readList(
  { path, paging }: PageDescription['list'],
  filters: Record<string, string>,
  pageSize: number,
  signal?: AbortSignal,
): Promise<ListPage> {
  return readPage(await call('GET', path, toParameters(paging, { filters, pageNo: 1, pageSize }), signal));
}

const namesOf = (row: unknown): string =>
  nameFields
    .map((name) => String(readMember(row, name) ?? ''))
    .join(' ')
    .toLowerCase();

/** Whether a filter takes the text as a whole value of a field that the list shows. */
const isExact = (field: Field, { described }: Source, text: string): boolean =>
  field.type === 'text' &&
  described.list.item.some(({ name }) => name === field.name) &&
  kindOf(field).model.findProblem(field, text) === undefined;

function toEntry({ page: { path, title }, keys }: Source, row: unknown): Entry {
  const address = writeAddress({ action: 'detail', keys: keys.map((key) => String(readMember(row, key))) });
  const name = recordName(row, keys);
  return {
    ...{ key: `/${path}${address}`, to: `/${path}${address}`, group: 'records', title: name },
    place: localise(title),
    words: name.toLowerCase(),
  };
}
