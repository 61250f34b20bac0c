import { readCount } from './counts.ts';
import { type CountLine, startOfMonth } from './digest.ts';
import { blameCount, type Finding } from './findings.ts';
import type { StoredLog } from './log-source.ts';

const dayMs = 86_400_000;

/**
 * Compares counts with their lines in a digest: they only grow, and none is deleted before it expires.
 *
 * @param now Unix milliseconds
 */
export async function compareCounts(
  log: StoredLog,
  lines: readonly CountLine[],
  now: number,
): Promise<Finding | undefined> {
  const found = await log.countsOf(lines.map(({ pk, sk }) => ({ pk, sk })));
  const items = new Map(found.map((item) => [`${item.pk} ${item.sk}`, item]));
  for (const { pk, sk, count, recorded, expires } of lines) {
    const place = `${pk} ${sk}`;
    const item = items.get(place);
    if (!item && expires * 1000 <= now) continue;
    if (!item) return { kind: 'count_removed', place };
    const stored = readCount(item);
    if (!stored) return blameCount(item);
    if (stored.count < count || (stored.recorded ?? 0) < recorded) return { kind: 'count_changed', place };
  }
  return undefined;
}

/** Checks every count of a month by its MAC. @param now Unix milliseconds */
export async function checkCounts(log: StoredLog, month: string, now: number): Promise<Finding | undefined> {
  const endMs = Math.min(now + dayMs, startOfMonth(month, 1));
  for (let ms = startOfMonth(month); ms < endMs; ms += dayMs) {
    const items = await log.counts(new Date(ms).toISOString().slice(0, 10));
    const wrong = items.find((item) => !readCount(item));
    if (wrong) return blameCount(wrong);
  }
  return undefined;
}
