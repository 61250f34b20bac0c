import { type Digest, listMonths, readDigest, startOfMonth } from '../digest.ts';
import type { StoredLog } from '../log-source.ts';
import type { Finding } from './findings.ts';

/** A digest is due this long after the end of the one before, in milliseconds. */
export const dueMs = 2 * 3_600_000;

interface Known {
  /** End of the last digest of the month, in Unix milliseconds; undefined without one. */
  covered: number | undefined;
  /** Time of the first entry after it. */
  startMs: number | undefined;
  now: number;
}

/** Finds a digest of a month that is due and missing. */
export async function findMissingDigest(
  log: StoredLog,
  month: string,
  { covered, startMs, now }: Known,
): Promise<Finding | undefined> {
  const end = startOfMonth(month, 1);
  const coveredMs = covered ?? (await findStart(log, month, { startMs, now }));
  const dueUntil = Math.min(now - dueMs, end);
  if (coveredMs === undefined || coveredMs >= dueUntil) return undefined;
  return { kind: 'digest_missing', location: new Date(coveredMs).toISOString() };
}

/** Where the first digest of a month without any has to begin; undefined if the log is empty. */
async function findStart(
  log: StoredLog,
  month: string,
  { startMs, now }: Omit<Known, 'covered'>,
): Promise<number | undefined> {
  const monthMs = startOfMonth(month);
  if (await log.digest(new Date(monthMs).toISOString())) return monthMs;
  const next = await findNextDigest(log, startOfMonth(month, 1), now);
  const isFollower = next && next.previous !== null && (next.previous_ttl ?? 0) * 1000 > now;
  return isFollower ? monthMs : startMs;
}

/** The first digest from a time on. */
async function findNextDigest(log: StoredLog, fromMs: number, now: number): Promise<Digest | undefined> {
  if (fromMs > now) return undefined;
  for (const month of listMonths(fromMs, now)) {
    const [item] = await log.digests(month);
    if (item) return readDigest(item);
  }
  return undefined;
}
