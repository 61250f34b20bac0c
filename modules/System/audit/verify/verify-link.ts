import { type Digest, hashDigest, lateMs, monthOf, readDigest, startOfMonth } from '../digest.ts';
import type { StoredLog } from '../log-source.ts';
import { type Finding, toDigestFinding } from './findings.ts';
import { dueMs } from './verify-missing.ts';

/**
 * Checks that a digest of a month follows the one before. `begins_late` says only that digests before the first one may
 * have been removed.
 *
 * @param before the digest before it that was read; undefined for the first of the month
 * @param now Unix milliseconds
 */
export async function findBrokenLink(
  log: StoredLog,
  month: string,
  digest: Digest,
  before: Digest | undefined,
  now: number,
): Promise<Finding | undefined> {
  const { from, previous, previous_ttl } = digest;
  if (before && before.to > from) return { kind: 'digest_changed', location: digest.to };
  const isNext = before?.to === from;
  const item = isNext ? before : await log.digest(from);
  if (previous === null) {
    const isFirst = !before && !item && !(await hasDigestBefore(log, month));
    if (!isFirst) return { kind: 'digest_removed', location: from };
    return beginsLate(digest) ? { kind: 'begins_late', location: from } : undefined;
  }
  if (!item) {
    const isExpired = (previous_ttl ?? 0) * 1000 <= now;
    return isExpired ? undefined : { kind: 'digest_removed', location: from };
  }
  const found = isNext ? before : readDigest(Object(item));
  if (!found) return toDigestFinding(from, Object(item));
  const isSame = hashDigest(found) === previous && digest.sequence === nextSequence(found, digest);
  return isSame ? undefined : { kind: 'digest_changed', location: from };
}

async function hasDigestBefore(log: StoredLog, month: string): Promise<boolean> {
  return (await log.digests(monthOf(startOfMonth(month, -1)))).length > 0;
}

/**
 * Whether a first digest lists entries that an earlier one should have listed. Without a beginning by the installation,
 * digests before it may have been removed.
 */
const beginsLate = ({ from, to, at = to, installed }: Digest): boolean =>
  !installed && Date.parse(at) - Date.parse(from) > dueMs + lateMs;

/** Digests are numbered without gaps. Older ones have no number. */
const nextSequence = (before: Digest, { sequence }: Digest): number | undefined =>
  before.sequence === undefined && sequence === undefined ? undefined : (before.sequence ?? 0) + 1;
