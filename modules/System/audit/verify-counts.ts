import type { Item } from '#shared/db/items.ts';
import { readCount } from './counts.ts';
import { type CountLine, startOfMonth } from './digest.ts';
import { blameCount, type Finding } from './findings.ts';
import type { StoredLog } from './log-source.ts';

const dayMs = 86_400_000;
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

/** Checks every count of a month by its MAC. @param now Unix milliseconds */
export async function checkCounts(log: StoredLog, month: string, now: number): Promise<Finding | undefined> {
  const endMs = Math.min(now + dayMs, startOfMonth(month, 1));
  for (let ms = startOfMonth(month); ms < endMs; ms += dayMs) {
    for await (const item of log.counts(new Date(ms).toISOString().slice(0, 10))) {
      if (!readCount(item)) return blameCount(item);
    }
  }
  return undefined;
}
