import { receive, startChild } from './child.ts';
import { type ByHandler, forEachHandler, handlerNames, mapHandlers } from './handlers.ts';
import type { Stack } from './stack.ts';
import { compareWith, percentile, type Series } from './statistics.ts';
import type { Subject } from './subject.ts';

/** How long one invocation takes, in milliseconds, beside the bare handler's. */
export interface WarmResult {
  p50: ByHandler<Series>;
  p99: ByHandler<Series>;
}

const blockSize = 100;
/** Uncounted blocks, until the code is optimised and the heap has its final size. */
const warmUpBlocks = 10;

/**
 * Measures sequential invocations of each handler in a process of its own, as the platform runs it, in blocks
 * that take turns.
 *
 * @param count invocations of each
 */
export async function measureWarm(subject: Subject, stack: Stack, count: number): Promise<WarmResult> {
  const { bundles, invocationFile, environment } = subject;
  const children = mapHandlers(bundles, ({ url }) =>
    startChild({ script: 'serve', args: [url, invocationFile], environment }),
  );
  const blocks = mapHandlers(bundles, (): number[][] => []);
  try {
    for (let block = -warmUpBlocks; block * blockSize < count; block++) {
      // A throttle without a limit would store more counts than a real one.
      await stack.dropCounters();
      const taken = await forEachHandler((name) => runBlock(children[name]));
      if (block >= 0) for (const name of handlerNames) blocks[name].push(taken[name]);
    }
  } finally {
    for (const name of handlerNames) children[name].kill();
  }
  return { p50: compareAt(0.5, blocks), p99: compareAt(0.99, blocks) };
}

async function runBlock(child: ReturnType<typeof startChild>): Promise<number[]> {
  const durations: number[] = [];
  for (let turn = 0; turn < blockSize; turn++) {
    child.send('invoke');
    const { statusCode, durationMs } = await receive<{ statusCode: number; durationMs: number }>(child);
    if (statusCode !== 200) throw new Error(`a warm invocation answered ${statusCode}`);
    durations.push(durationMs);
  }
  return durations;
}

/** A percentile of all invocations; the spread is that of its blocks. */
function compareAt(part: number, blocks: ByHandler<number[][]>): ByHandler<Series> {
  const ofBlocks = compareWith(
    'bare',
    mapHandlers(blocks, (taken) => taken.map((durations) => percentile(durations, part))),
  );
  const ofAll = mapHandlers(blocks, (taken) => percentile(taken.flat(), part));
  return mapHandlers(ofBlocks, (series, name) => ({
    ...series,
    value: ofAll[name],
    ratio: ofAll[name] / ofAll.bare,
  }));
}
