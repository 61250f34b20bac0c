import { fillCache } from './fill-cache.ts';
import { type ByHandler, mapHandlers } from './handlers.ts';
import { inspectLoad, type Load } from './inspect-load.ts';
import { type ColdResult, measureCold } from './measure-cold.ts';
import { measureRoundTrips, type TravelResult } from './measure-round-trips.ts';
import { measureWarm, type WarmResult } from './measure-warm.ts';
import type { Stack } from './stack.ts';
import { prepareSubjects, type Subject } from './subject.ts';

/** Bytes of a bundle: of what loads with it, and with what loads on first use. */
export interface Size {
  start: number;
  all: number;
}

/** Everything that is measured of one function. */
export interface Result {
  label: Subject['label'];
  functionName: string;
  size: ByHandler<Size>;
  load: ByHandler<Load>;
  cold: ColdResult;
  warm: WarmResult;
  travel: TravelResult;
}

export interface MeasureOptions {
  /** Labels of what is measured. */
  only: readonly string[];
  /** Fresh processes of each handler. */
  rounds: number;
  /** Warm invocations of each handler. */
  invocations: number;
}

/** Measures every function and its peers. */
export async function measure(root: string, stack: Stack, options: MeasureOptions): Promise<Result[]> {
  const subjects = await prepareSubjects(root, stack, options.only);
  for (const subject of subjects) await fillCache(subject, stack);
  const loads: ByHandler<Load>[] = [];
  // First: it ends the run if the answers differ.
  for (const subject of subjects) loads.push(await inspectLoad(subject));
  const colds = await measureCold(subjects, options.rounds);
  const results: Result[] = [];
  for (const [index, subject] of subjects.entries()) {
    const [load, cold] = [loads[index], colds[index]];
    if (load && cold) results.push({ ...(await measureOne(subject, stack, options)), load, cold });
  }
  return results;
}

async function measureOne(
  subject: Subject,
  stack: Stack,
  { invocations }: MeasureOptions,
): Promise<Omit<Result, 'load' | 'cold'>> {
  const { label, functionName, bundles } = subject;
  // The previous measurement emptied the cache.
  await fillCache(subject, stack);
  return {
    label,
    functionName,
    size: mapHandlers(bundles, ({ sizeBytes, allBytes }) => ({ start: sizeBytes, all: allBytes })),
    warm: await measureWarm(subject, stack, invocations),
    // Last: it empties the cache.
    travel: await measureRoundTrips(subject, stack),
  };
}
