import { fillCache } from './fill-cache.ts';
import { inspectLoad, type Load } from './inspect-load.ts';
import { type ColdResult, measureCold } from './measure-cold.ts';
import { measureRoundTrips, type Travel } from './measure-round-trips.ts';
import { measureWarm, type WarmResult } from './measure-warm.ts';
import type { Stack } from './stack.ts';
import { prepareSubjects, type Subject } from './subject.ts';

/** Everything that is measured of one function. */
export interface Result {
  label: Subject['label'];
  functionName: string;
  sizeBytes: Record<'bare' | 'ours', number>;
  load: { ours: Load; bare: Load };
  cold: ColdResult;
  warm: WarmResult;
  travel: { hit: Travel; miss: Travel };
}

export interface MeasureOptions {
  /** Fresh processes of each handler. */
  rounds: number;
  /** Warm invocations of each handler. */
  invocations: number;
}

/** Measures the functions that read dictionaries, and the one of MCP. */
export async function measure(root: string, stack: Stack, options: MeasureOptions): Promise<Result[]> {
  const subjects = await prepareSubjects(root, stack);
  for (const subject of subjects) await fillCache(subject, stack);
  const colds = await measureCold(subjects, stack.environment, options.rounds);
  const results: Result[] = [];
  for (const [index, cold] of colds.entries()) {
    const subject = subjects[index];
    if (subject) results.push(await measureOne(subject, cold, stack, options));
  }
  return results;
}

async function measureOne(
  subject: Subject,
  cold: ColdResult,
  stack: Stack,
  options: MeasureOptions,
): Promise<Result> {
  const { label, functionName, ours, bare } = subject;
  const { environment } = stack;
  // The one before emptied it.
  await fillCache(subject, stack);
  return {
    label,
    functionName,
    sizeBytes: { ours: ours.sizeBytes, bare: bare.sizeBytes },
    load: await inspectLoad(subject, environment),
    cold,
    warm: await measureWarm(subject, environment, options.invocations),
    // Last: it empties the cache.
    travel: await measureRoundTrips(subject, stack),
  };
}
