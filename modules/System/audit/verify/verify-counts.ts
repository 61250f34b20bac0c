import type { Item } from '#shared/db/items.ts';
import { readCount } from '../counts.ts';
import type { CountLine } from '../digest.ts';
import type { StoredLog } from '../log-source.ts';
import { blameCount, type Finding } from './findings.ts';

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
    const items = new Map(found.map((item) => [spellKey(item), item]));
    for (const line of some) {
      const finding = compareCount(line, items.get(spellKey(line)), now);
      if (finding) return finding;
    }
  }
  return undefined;
}

const spellKey = ({ pk, sk }: { pk?: unknown; sk?: unknown }): string => `${pk} ${sk}`;

function compareCount(line: CountLine, item: Item | undefined, now: number): Finding | undefined {
  const place = spellKey(line);
  if (!item) return line.expires * 1000 <= now ? undefined : { kind: 'count_removed', place };
  const stored = readCount(item);
  if (!stored) return blameCount(item);
  const isSmaller = stored.count < line.count || (stored.recorded ?? 0) < line.recorded;
  return isSmaller ? { kind: 'count_changed', place } : undefined;
}

/** Days of the longest month. */
const monthDays = 31;

/** Checks every count of a month by its MAC, also of days to come. */
export async function checkCounts(log: StoredLog, month: string): Promise<Finding | undefined> {
  for (let day = 1; day <= monthDays; day += 1) {
    for await (const item of log.counts(`${month}-${String(day).padStart(2, '0')}`)) {
      if (!readCount(item)) return blameCount(item);
    }
  }
  return undefined;
}
