import { shallowReactive } from 'vue';
import type { PageDescription } from '#functions/console/description.ts';
import { call } from '../../base/api.ts';
import { description } from '../../base/description.ts';
import { readPage, toParameters } from '../../base/list-page.ts';
import { can } from '../../base/session.ts';
import { recordName } from '../record-name.ts';

export interface Reference {
  id: string;
  name: string;
}

const known = shallowReactive(new Map<string, readonly Reference[]>());
const readAt = new Map<string, number>();
const freshMs = 60_000;

/** The page whose records are referred to, if the operator may read them. @param path as in `refersTo` */
export function findReferredPage(path: string): PageDescription | undefined {
  const page = description.value?.pages.find((each) => each.path === path);
  return page && can(page.list.path.replace('/adminapi/', '')) ? page : undefined;
}

/**
 * Names of the first 100 records of a page, from a cache of one minute; empty until they are read, or if the operator
 * may not read them.
 */
export function references(path: string): readonly Reference[] {
  if (Date.now() - (readAt.get(path) ?? Number.NEGATIVE_INFINITY) > freshMs) {
    readAt.set(path, Date.now());
    // Without an answer the IDs are shown, and the next page asks again.
    searchReferences(path, '').then(
      (found) => known.set(path, found),
      () => readAt.delete(path),
    );
  }
  return known.get(path) ?? [];
}

/** Reads names again when they are asked for. Call it after a change of records. */
export const forgetReferences = (): void => readAt.clear();

/** Name of a record; undefined if it is not among the first, or not read yet. */
export const referenceName = (path: string, id: string): string | undefined =>
  references(path).find((each) => each.id === id)?.name;

/** The filters that search records by a text. */
const searchNames = ['keyword', 'name', 'title', 'account', 'mobile'];

/** Reads records whose name fits a text. @param text all, if it is empty or the list cannot be searched */
export async function searchReferences(path: string, text: string): Promise<Reference[]> {
  const page = findReferredPage(path);
  if (!page || page.list.query.some(({ required }) => required)) return [];
  const filter = searchNames.find((name) => page.list.query.some((field) => field.name === name));
  const filters = filter !== undefined && text !== '' ? { [filter]: text } : {};
  const parameters = toParameters(page.list.paging, { filters, pageNo: 1, pageSize: 100 });
  const { rows } = readPage(await call('GET', page.list.path, parameters));
  const key = page.actions.find(({ name }) => name === 'detail')?.keys[0] ?? 'id';
  return rows.map((row) => ({ id: String(row[key]), name: recordName(row) }));
}
