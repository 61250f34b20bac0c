import type { Mirror } from './mirrors.ts';
import type { KeptRevisions } from './revisions/options.ts';
import type { Key } from './write.ts';

/** What hangs on the records of an entity. */
export interface RecordFacts {
  /** What the audit log calls a record; undefined if an action is never about one. */
  target?: ((key: Key) => string) | undefined;
  mirrors: readonly Mirror[];
  /** Undefined if nothing is kept of a record that is edited or deleted. */
  revisions?: KeptRevisions | undefined;
}

const facts = Symbol('record facts');

/** A key that knows what hangs on its record. Items and writes that are made of it know it too; the database does not. */
export const withFacts = <K extends object>(key: K, own: RecordFacts): K => ({ ...key, [facts]: own });

/** Undefined if the key, item or write was not made by the `key` of an entity. */
export const factsOf = (key: object): RecordFacts | undefined => Reflect.get(key, facts);

/** The same key, for a write beside what an action is about: a count of its records, or the items of a new dictionary. */
export const beside = <K extends object>(key: K): K =>
  withFacts(key, { mirrors: factsOf(key)?.mirrors ?? [] });
