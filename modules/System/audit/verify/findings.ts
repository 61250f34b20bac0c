import { findCountKey } from '#shared/audit/stored-counts.ts';
import { findEntryKey } from '#shared/audit/stored-entries.ts';
import type { Item } from '#shared/db/items.ts';
import { findDigestKey } from '../digest.ts';

type FindingKind =
  | 'entry_changed'
  | 'entry_removed'
  | 'entry_inserted'
  | 'entry_key_unknown'
  | 'digest_changed'
  | 'digest_key_unknown'
  | 'digest_removed'
  | 'digest_missing'
  | 'begins_late'
  | 'count_changed'
  | 'count_removed'
  | 'count_key_unknown'
  | 'end_changed'
  | 'end_removed'
  | 'end_reset'
  | 'end_key_unknown'
  | 'anchor_changed'
  | 'anchor_missing'
  | 'anchor_key_unknown';

/** What is wrong with the log. */
export interface Finding {
  kind: FindingKind;
  /**
   * ID of the entry; of a digest, the end of its time; of a count, its key. For a missing digest, the time from which it
   * is missing; for the end of the chain, the end that is kept outside of the table.
   */
  location: string;
  /** ID of the key that made its MAC, if this service does not have it. */
  key?: string;
}

export const toEntryFinding = (kind: FindingKind, location: string, item: Item): Finding =>
  toFinding(kind, 'entry_key_unknown', location, findEntryKey(item));
export const toDigestFinding = (location: string, item: Item): Finding =>
  toFinding('digest_changed', 'digest_key_unknown', location, findDigestKey(item));

export const toCountFinding = (item: Item): Finding =>
  toFinding('count_changed', 'count_key_unknown', `${item.pk} ${item.sk}`, findCountKey(item));

/** Without its key, nothing can be said of an item. */
const toFinding = (
  kind: FindingKind,
  unknown: FindingKind,
  location: string,
  key: string | undefined,
): Finding => (key === undefined ? { kind, location } : { kind: unknown, location, key });

/** What a wrong clock explains. It is no forgery. */
export interface Notice {
  /**
   * `entry_misdated`: a later digest lists it. `entry_unlisted`: no digest of the month lists it. `digest_ahead`: the
   * digest ends after the time at which the next one was written.
   */
  kind: 'entry_misdated' | 'entry_unlisted' | 'digest_ahead';
  /** ID of the entry; of a digest, the end of its time. */
  location: string;
  /** By how much the clock went back at least, in milliseconds. */
  byMs: number;
}
