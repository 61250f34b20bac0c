import { shallowReactive } from 'vue';
import type { Field, PageDescription } from '#functions/console/description.ts';
import { settleAll } from '#shared/async/settle-all.ts';
import { call } from '../../base/api.ts';
import { description } from '../../base/description.ts';
import { readPage, toParameters } from '../../base/list-page.ts';
import { can } from '../../base/session.ts';
import { readMember } from '../kind.ts';
import { recordName } from '../record-name.ts';
import { createNameCache } from './name-cache.ts';

export interface Reference {
  id: string;
  name: string;
}

/** The first 100 records of a page. Each page is a list of its own, so each is one read. */
const firstRecords = createNameCache<readonly Reference[]>(
  (paths) => settleAll(paths.map(async (path) => [path, await readReferences(path, '')] as const)),
  1,
);

/** The page whose records are referred to, if the operator may read them. @param path as in `refersTo` */
export function findReferredPage(path: string): PageDescription | undefined {
  const page = description.value?.pages.find((each) => each.path === path);
  return page && can(page.list.path.replace('/adminapi/', '')) ? page : undefined;
}

/** Names of the first records of a page; empty until they are read, or if the operator may not read them. */
const references = (path: string): readonly Reference[] => firstRecords.get(path) ?? [];

/** Reads names again when they are asked for. Call it after a change of records. */
export const forgetReferences = firstRecords.forget;

/** Names that the service sent with records, by page and ID. */
const sentNames = shallowReactive(new Map<string, string>());
const keyOf = (path: string, id: string): string => `${path} ${id}`;

/** Keeps the names that records bring along, for operators who may not read the list of what they refer to. */
export function keepSentNames(fields: readonly Field[], records: readonly unknown[]): void {
  const referring = fields.filter(({ refersTo }) => refersTo !== undefined);
  if (referring.length === 0) return;
  for (const record of records) {
    const labels = readMember(record, 'labels');
    for (const { name, refersTo = '' } of referring) {
      const [id, label] = [readMember(record, name), readMember(labels, name)];
      if (typeof id === 'string' && typeof label === 'string') sentNames.set(keyOf(refersTo, id), label);
    }
  }
}

/** Name of a record; undefined if it is not among the first, or not read yet. */
export const referenceName = (path: string, id: string): string | undefined =>
  sentNames.get(keyOf(path, id)) ?? references(path).find((each) => each.id === id)?.name;

/** The filters that search records by a text. */
const searchNames = ['search', 'keyword', 'name', 'title', 'account', 'mobile'];

/** Records whose name fits a text. @param text the first records, if it is empty or the list cannot be searched */
export async function searchReferences(path: string, text: string): Promise<readonly Reference[]> {
  if (text !== '') return readReferences(path, text);
  await firstRecords.load([path]);
  return references(path);
}

async function readReferences(path: string, text: string): Promise<Reference[]> {
  const page = findReferredPage(path);
  if (!page || page.list.query.some(({ required }) => required)) return [];
  const filter = searchNames.find((name) => page.list.query.some((field) => field.name === name));
  const filters = filter !== undefined && text !== '' ? { [filter]: text } : {};
  const parameters = toParameters(page.list.paging, { filters, pageNo: 1, pageSize: 100 });
  const { rows } = readPage(await call('GET', page.list.path, parameters));
  const key = page.actions.find(({ name }) => name === 'detail')?.keys[0] ?? 'id';
  return rows.map((row) => ({ id: String(row[key]), name: recordName(row) }));
}
