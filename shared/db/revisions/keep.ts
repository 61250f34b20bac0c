import { AsyncLocalStorage } from 'node:async_hooks';
import { factsOf } from '../record-facts.ts';
import type { Write } from '../write.ts';
import type { Author } from './options.ts';

interface Scope {
  author?: () => Author;
  isOff?: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

/** Runs work whose revisions name this author. */
export const withAuthor = <T>(author: () => Author, work: () => Promise<T>): Promise<T> =>
  scopes.run({ ...scopes.getStore(), author }, work);

/** Runs work that keeps no revisions: example data, and the removal of a module's data. */
export const withoutRevisions = <T>(work: () => Promise<T>): Promise<T> =>
  scopes.run({ ...scopes.getStore(), isOff: true }, work);

/** Whether the writes of a key keep revisions. */
export const keepsRevisions = (key: object): boolean => factsOf(key)?.revisions !== undefined;

/** Items of a transaction that some writes become, with their revisions. */
export const countItems = (writes: readonly Write[]): number =>
  writes.reduce((sum, write) => sum + (typeof write.replaced === 'object' ? 2 : 1), 0);

/**
 * The writes with those that keep what they replace.
 *
 * @throws Error if a write replaces a row whose revisions are kept, and does not say which
 */
export async function withRevisions(writes: readonly Write[]): Promise<readonly Write[]> {
  const { author, isOff = false } = scopes.getStore() ?? {};
  const found = isOff ? [] : writes.flatMap((write) => findReplacement(write) ?? []);
  if (found.length === 0) return writes;
  // Most functions replace nothing that is kept.
  const { createRevision } = await import('./create.ts');
  return [...writes, ...found.map((each) => createRevision({ ...each, author: author?.() }))];
}

function findReplacement({ Put, Update, Delete, replaced }: Write) {
  const item = Put?.Item ?? Update?.Key ?? Delete?.Key ?? {};
  const kept = factsOf(item)?.revisions;
  if (!kept || replaced === 'nothing') return undefined;
  const key = { pk: String(item.pk), sk: String(item.sk) };
  if (replaced) return { key, kept, replaced };
  throw new Error(`a write of ${key.pk} keeps no revision: use editRow, replaceRow or removeRow`);
}
