import { recordCounts } from '#shared/audit/counts.ts';
import { type Digest, searchedMs } from './digest.ts';
import { readChainEnd, writeDigests } from './write-digests.ts';

const hourMs = 3_600_000;
/** Counted events are searched in these hours before the last digest: some are counted late. */
const earlierHours = 2;
/** Counts are not kept longer. */
const mostHours = 30 * 24;

interface CloseOptions {
  /** End of the time to cover, in Unix milliseconds. @default now */
  toMs?: number;
  /** Returns true if the work must end. */
  isOver?(): boolean;
}

/**
 * Writes entries for the events that were counted in past hours, and then the digests of the time since the last one.
 * May run twice at once.
 *
 * @returns the number of these entries, and the digests
 */
export async function closeLog({ toMs = Date.now(), isOver = () => false }: CloseOptions = {}): Promise<{
  counted: number;
  digests: Digest[];
}> {
  const end = await readChainEnd(toMs);
  const thisHour = Math.floor(toMs / hourMs);
  const endMs = end ? Date.parse(end.to) : toMs;
  // If a clock was ahead, the end does not say which hours were searched.
  const lastHour = Math.floor((endMs > toMs ? toMs - searchedMs : endMs) / hourMs);
  let counted = 0;
  for (let hour = Math.max(lastHour - earlierHours, thisHour - mostHours); hour < thisHour; hour += 1) {
    // Without these entries no digest may follow: the next run would not search this hour.
    if (isOver()) return { counted, digests: [] };
    counted += await recordCounts(new Date(hour * hourMs).toISOString().slice(0, 13));
  }
  return { counted, digests: await writeDigests({ toMs, isOver }) };
}
