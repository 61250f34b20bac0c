import type { Item } from '#shared/db/items.ts';
import { readCount } from '../counts.ts';
import type { CountLine } from '../digest.ts';
import type { StoredLog } from '../log-source.ts';
import { type Finding, toCountFinding } from './findings.ts';

/** A flood leaves many. */
const countsAtOnce = 1000;

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
  for (let at = 0; at < lines.length; at += countsAtOnce) {
    const some = lines.slice(at, at + countsAtOnce);
    const found = await log.countsOf(some.map(({ pk, sk }) => ({ pk, sk })));
    const items = new Map(found.map((item) => [formatKey(item), item]));
    for (const line of some) {
      const finding = compareCount(line, items.get(formatKey(line)), now);
      if (finding) return finding;
    }
  }
  return undefined;
}

const formatKey = ({ pk, sk }: { pk?: unknown; sk?: unknown }): string => `${pk} ${sk}`;

function compareCount(line: CountLine, item: Item | undefined, now: number): Finding | undefined {
  const location = formatKey(line);
  if (!item) return line.expires * 1000 <= now ? undefined : { kind: 'count_removed', location };
  const stored = readCount(item);
  if (!stored) return toCountFinding(item);
  const isSmaller = stored.count < line.count || (stored.recorded ?? 0) < line.recorded;
  return isSmaller ? { kind: 'count_changed', location } : undefined;
}

/** Days of the longest month. */
const monthDays = 31;

/** Checks every count of a month by its MAC, also of days to come. */
export async function checkCounts(log: StoredLog, month: string): Promise<Finding | undefined> {
  for (let day = 1; day <= monthDays; day += 1) {
    for await (const item of log.counts(`${month}-${String(day).padStart(2, '0')}`)) {
      if (!readCount(item)) return toCountFinding(item);
    }
  }
  return undefined;
}
