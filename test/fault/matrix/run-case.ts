import type { Key } from '../../support/keys.ts';
import { type Flow, gatewayLimitMs, isDone, isHonest, type Truth } from '../flows/flow.ts';
import type { Answer } from '../world/api.ts';
import { listDone } from '../world/audit-log.ts';
import { describeFault, during, type Fault, Run } from '../world/run.ts';
import type { World } from '../world/world.ts';

/** One flow with one fault. */
export interface FaultCase {
  flow: Flow;
  fault: Fault;
  /** Whether the caches are warm. */
  isWarm: boolean;
}

/** The result of a case. */
export interface CaseOutcome {
  /** Whether the fault happened; another run may have made the request unnecessary. */
  isHit: boolean;
  /** What is wrong; undefined if nothing is. */
  problem?: string;
}

export const describeCase = ({ flow, fault, isWarm }: FaultCase): string =>
  `${flow.name}, ${isWarm ? 'warm' : 'cold'}, ${describeFault(fault)}`;

/** Runs a flow with a fault, then repeats it without, and checks the stored data after both. */
export async function runCase(world: World, given: FaultCase): Promise<CaseOutcome> {
  const { flow, fault, isWarm } = given;
  const run = new Run(fault);
  const startedMs = Date.now();
  const trace: string[] = [];
  const state = await flow.prepare(world);
  // A request of the preparation may lie in the same millisecond.
  const before = await listDone(world, startedMs);
  const prepared = new Set(before.map(({ id }) => id));
  const isRecorded = async () => {
    const entries = await listDone(world, startedMs);
    return entries.some((entry) => !prepared.has(entry.id) && flow.isRecord?.(entry, state));
  };
  try {
    if (isWarm) await flow.isShown(world, state);
    else await world.chill();
    const answer = await during(run, () => flow.act(world, state));
    trace.push(`answered ${answer.status} ${answer.code} in ${Math.round(answer.durationMs)} ms`);
    await judge(world, given, state, answer, trace, isRecorded);
    return { isHit: run.hits > 0 };
  } catch (error) {
    const steps = run.steps.map(({ store, operation }) => `${store} ${operation}`).join(', ');
    const problem = `${describeCase(given)}: ${error} (${trace.join('; ')}; ${steps})`;
    return { isHit: run.hits > 0, problem };
  } finally {
    flow.release?.(world, state);
  }
}

async function judge(
  world: World,
  { flow }: FaultCase,
  state: unknown,
  answer: Answer,
  trace: string[],
  isRecorded: () => Promise<boolean>,
): Promise<void> {
  check(isHonest(flow, answer), `an answer that is not honest: ${answer.text.slice(0, 500)}`);
  check(answer.durationMs < gatewayLimitMs, 'a function that takes longer than it may');
  const truth = await flow.look(world, state);
  trace.push(`then ${truth}`);
  check(flow.isLenient || truth === 'after' || !isDone(flow, answer), 'an acknowledged write is lost');
  check(flow.isGradual || truth !== 'between', 'a record is half written');
  if (flow.isRecord) {
    const hasChanged = flow.hasChanged ? await flow.hasChanged(world, state) : truth !== 'before';
    check((await isRecorded()) || !hasChanged, 'a change without its record');
    check(!(await isRecorded()) || hasChanged, 'a record without its change');
  }
  await checkShown(world, flow, state, truth);
  if (isDone(flow, answer)) return;
  // A read that is shared with another run may fail because of that run's fault.
  const again = await flow.act({ ...world, api: world.steady }, state);
  trace.push(`again ${again.status} ${again.code}`);
  const isConflict = truth === 'after' && (flow.conflicts ?? []).includes(again.code);
  check(isDone(flow, again) || isConflict, `what cannot be repeated: ${again.text.slice(0, 500)}`);
  check(flow.isLenient || (await flow.look(world, state)) === 'after', 'what is repeated is not done');
  check(!flow.isRecord || (await isRecorded()), 'what is repeated has no record');
  check(await flow.isShown(world, state), 'what is repeated does not show');
}

/** Reads must match the stored data, unless the service reported that the cache missed an invalidation. */
async function checkShown(world: World, flow: Flow, state: unknown, truth: Truth): Promise<void> {
  if (await flow.isShown(world, state)) return;
  const words = [
    flow.clears ?? [],
    ...flow.changes(state).map(({ pk, sk }) => [...pk.split('#'), sk]),
  ].flat();
  check(words.some(world.journal.takeMissed), `a stale answer, while the table is as ${truth}`);
  await tellStream(world, flow.changes(state));
  check(await flow.isShown(world, state), 'a stale answer that the stream does not mend');
}

/** Invokes the stream listener with changes. */
export async function tellStream({ functions }: World, changed: Key[]): Promise<void> {
  const Records = changed.map(({ pk, sk }) => ({ dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } } }));
  await functions.invoke('system-stream-clear-caches', { Records });
}

function check(isWell: unknown, problem: string): asserts isWell {
  if (!isWell) throw new Error(problem);
}
