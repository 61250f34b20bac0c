import { encodeTime } from 'ulid';
import type { IndexQuery } from '../items.ts';

/** Values of `creationQuery` (`shared/schema/list.ts`), ISO 8601. */
export interface CreationFilter {
  /** Included. */
  created_from?: string;
  /** Excluded. */
  created_before?: string;
}

/** IDs of this time and later are equal or greater. @param time Unix milliseconds */
export const firstIdOf = (time: number): string => encodeTime(time, 10);

/** The part of an index by ULID that holds the records of a time, for `queryRows` and `readNewest`. */
export const toCreationRange = ({
  created_from,
  created_before,
}: CreationFilter): Pick<IndexQuery, 'from' | 'below'> => ({
  from: created_from && firstIdAt(created_from),
  below: created_before && firstIdAt(created_before),
});

/** Whether a record was created in the time of a filter. */
export const isCreatedIn = (
  { created_from, created_before }: CreationFilter,
  { id }: { id: string },
): boolean =>
  (created_from === undefined || id >= firstIdAt(created_from)) &&
  (created_before === undefined || id < firstIdAt(created_before));

// A ULID cannot hold a time before 1970.
const firstIdAt = (time: string): string => firstIdOf(Math.max(0, Date.parse(time)));
