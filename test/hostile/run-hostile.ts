import fc from 'fast-check';
import { findViolations } from './find-violations.ts';
import { anyRequest, listOperations } from './generate/requests.ts';
import type { Ground } from './ground.ts';
import { createProbe, type Probe } from './probe.ts';
import { readEverything } from './read-everything.ts';
import type { HostileRequest } from './request.ts';
import { createTally, type Tally } from './tally.ts';
import { type ProcessWatch, watchProcess } from './watch-process.ts';

/** The part of the operations that must answer a success in a run of so many requests. */
const reach = { count: 10_000, part: 0.9 };
/** Most that the heap may grow from the middle of a run to its end. */
const grownBytes = 64 * 1024 * 1024;

export interface HostileOptions {
  seed: number;
  count: number;
  /** Collects the faults of all operations; otherwise the first fault ends the run and is minimised. */
  isGoingOn?: boolean;
}

export interface HostileOutcome {
  /** The faults as text; empty after a good run. */
  faults: string[];
  /** The minimised request that failed, for `--replay`. */
  failing: HostileRequest | undefined;
  /** Lines for people. */
  summary: string;
}

/** Sends generated requests to every route; one after the other, so that a seed reproduces a run. */
export async function runHostile(ground: Ground, options: HostileOptions): Promise<HostileOutcome> {
  const operations = listOperations(ground.document).map(({ method, path }) => `${method} ${path}`);
  const tally = createTally(operations);
  const watch = watchProcess();
  const { error, warn } = console;
  // Intended failures would fill the log.
  Object.assign(console, { error: () => {}, warn: () => {} });
  try {
    const probe = createProbe(ground, watch, tally);
    const { faults, failing, heapBytes } = await sendAll(ground, probe, watch, options);
    // A run that stopped early has no further results.
    if (!failing) faults.push(...(await lookBack(ground, tally, options)));
    const grown = watch.measureHeap() - heapBytes;
    if (!failing && grown > grownBytes)
      faults.push(`the heap has grown by ${grown} bytes in the second half`);
    return { faults, failing, summary: [`seed ${options.seed}`, tally.describe()].join('\n') };
  } finally {
    Object.assign(console, { error, warn });
    watch.stop();
  }
}

/** Sends requests until all are sent, or one fails; answers the heap's size in the middle too. */
async function sendAll(
  { document }: Ground,
  probe: Probe,
  watch: ProcessWatch,
  { seed, count, isGoingOn }: HostileOptions,
) {
  const faults = new Map<string, string>();
  let [sent, heapBytes] = [0, 0];
  const property = fc.asyncProperty(anyRequest(document), async (request) => {
    sent += 1;
    if (sent === Math.ceil(count / 2)) heapBytes = watch.measureHeap();
    const fault = await probe(request);
    if (fault === undefined) return;
    if (!isGoingOn) throw new Error(fault);
    // One of a kind is enough.
    const kind = fault.slice(0, 100);
    if (!faults.has(kind)) faults.set(kind, `${fault}\n${JSON.stringify(request).slice(0, 3000)}`);
  });
  const { failed, errorInstance, counterexample } = await fc.check(property, { seed, numRuns: count });
  const list = [...faults.values(), ...(failed ? [String(errorInstance)] : [])];
  return { faults: list, failing: counterexample?.[0], heapBytes };
}

/** Faults of the data after the requests, and of the run itself. */
async function lookBack(ground: Ground, tally: Tally, { count }: HostileOptions): Promise<string[]> {
  const { functions, world } = ground;
  await world.restore();
  const unread = await readEverything(ground);
  const violations = await findViolations(functions);
  const isShort = count < reach.count || tally.reached() >= reach.part;
  return [
    ...unread,
    ...violations.map((each) => `after all: ${each}`),
    ...(isShort ? [] : ['too few operations answered a success']),
  ];
}
