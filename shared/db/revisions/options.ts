import type * as z from 'zod/mini';
import type { Key } from '../write.ts';

/** Which rows an entity keeps when they are edited or deleted. */
export interface RevisionOptions {
  /** Whole days until a revision expires, 1 to 3,650. */
  days: number;
  /**
   * The fields that are kept, with those that `editRow` gets beside the row, and without those that change with no new
   * version. Fields marked secret are left out. @default the entity's `row`
   */
  row?: z.core.$ZodType;
  /** The record whose history it is. @default the row itself */
  record?(key: Key): Key;
}

/** How the record of a key keeps its revisions. */
export interface KeptRevisions extends Required<RevisionOptions> {}

const mostDays = 3650;

/** @throws TypeError for days that are no whole number from 1 to 3,650 */
export function toKeptRevisions(row: z.core.$ZodType, options: RevisionOptions): KeptRevisions {
  const { days } = options;
  if (!Number.isInteger(days) || days < 1 || days > mostDays) {
    throw new TypeError(`the days of revisions are a whole number from 1 to ${mostDays}, not ${days}`);
  }
  return { row, record: (key) => key, ...options };
}

/** Who changes data, as the audit log names them. */
export interface Author {
  by: { kind: string; id: string | null; account: string | null };
  /** The permission, without its kind. */
  action: string;
  request_id: string;
}

/** Partition of the revisions of all records whose keys have this partition. */
export const revisionPartition = (pk: string): string => `REVISION#${pk}`;

/** Beginning of the sort keys of a record's revisions. */
export const revisionsOf = ({ sk }: Key): string => `${encodeURIComponent(sk)}#`;
