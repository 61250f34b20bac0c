import { readChainState } from './chain-state.ts';
import { closeHour } from './counts.ts';
import { type CountLine, type Digest, searchedMs } from './digest.ts';
import { writeDigests } from './write-digests.ts';

const hourMs = 3_600_000;
/** Counted events are searched in these hours before the last digest: some are counted late. */
const earlierHours = 2;
/** Counts are not kept longer. */
const mostHours = 30 * 24;

interface CloseOptions {
  /** End of the time to cover, in Unix milliseconds. @default now */
  toMs?: number;
  /** Time of the entries of counted events, in Unix milliseconds. @default now */
  nowMs?: number;
  /** Returns true if the work must end. */
  isOver?(): boolean;
}

/**
 * Writes entries for the events that were counted in past hours, and then the digests of the time since the last one.
 * May run twice at once.
 *
 * @returns the number of these entries, and the digests
 */
export async function closeLog({
  toMs = Date.now(),
  nowMs = Date.now(),
  isOver = () => false,
}: CloseOptions = {}): Promise<{
  counted: number;
  digests: Digest[];
}> {
  const state = await readChainState(toMs);
  const { end } = state;
  const thisHour = Math.floor(toMs / hourMs);
  const endMs = end ? Date.parse(end.to) : toMs;
  // If a clock was ahead, the end does not say which hours were searched.
  const lastHour = Math.floor((endMs > toMs ? toMs - searchedMs : endMs) / hourMs);
  let counted = 0;
  const counts: CountLine[] = [];
  for (let hour = Math.max(lastHour - earlierHours, thisHour - mostHours); hour <= thisHour; hour += 1) {
    // Without these entries no digest may follow: the next run would not search this hour.
    if (isOver()) return { counted, digests: [] };
    const name = new Date(hour * hourMs).toISOString().slice(0, 13);
    const { recorded, lines } = await closeHour(name, hour < thisHour ? nowMs : undefined);
    counted += recorded;
    // The digest holds on to what was counted, also in the hour that is not over.
    counts.push(...lines);
  }
  return { counted, digests: await writeDigests({ toMs, isOver, counts, state }) };
}
