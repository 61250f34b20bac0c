import type { Flow } from '../flows/flow.ts';
import { type FaultKind, faultKinds, type Store, stores } from '../wire/fault.ts';
import { createRandom, pick, seed } from '../world/random.ts';
import { during, Run, reaches } from '../world/run.ts';
import type { World } from '../world/world.ts';
import type { FaultCase } from './run-case.ts';

/** Whether every combination is run, `FAULT_FULL=1`; else slow cases are chosen at random. */
const isFull = process.env.FAULT_FULL === '1';

/** The faults of every step. */
const always: readonly FaultKind[] = ['kill', 'lose', 'error', 'throttle'];
/** How many cases of a flow are drawn from the rest. */
const drawn = 4;

/** How many requests a flow makes to each store; the same twice, since a busy machine may ask for something again. */
export async function countSteps(world: World, flow: Flow, isWarm: boolean): Promise<Map<Store, number>> {
  let counts = await countOnce(world, flow, isWarm);
  for (let tries = 1; tries < 10; tries += 1) {
    const before = counts;
    counts = await countOnce(world, flow, isWarm);
    if (stores.every((store) => counts.get(store) === before.get(store))) return counts;
  }
  throw new Error(`${flow.name}: never the same requests twice`);
}

async function countOnce(world: World, flow: Flow, isWarm: boolean): Promise<Map<Store, number>> {
  const run = new Run();
  const state = await flow.prepare(world);
  if (isWarm) await flow.isShown(world, state);
  else await world.chill();
  const answer = await during(run, () => flow.act(world, state));
  const truth = await flow.look(world, state);
  flow.release?.(world, state);
  if (truth !== 'after') throw new Error(`${flow.name}: ${answer.text}`);
  return new Map(stores.map((store) => [store, run.steps.filter((step) => step.store === store).length]));
}

/** Every step of a flow with every kind of fault, within the limits of a run. */
export async function planCases(world: World, flow: Flow, only?: Store): Promise<FaultCase[]> {
  const random = createRandom(`${seed()} ${flow.name}`);
  const cases: FaultCase[] = [];
  const rest: FaultCase[] = [];
  for (const isWarm of [false, true]) {
    const counts = await countSteps(world, flow, isWarm);
    for (const [store, count] of counts) {
      if (only && store !== only) continue;
      for (let at = 0; at < count; at += 1) {
        for (const kind of faultKinds) {
          for (const reach of reaches) {
            const given: FaultCase = { flow, isWarm, fault: { store, at, kind, reach } };
            (isAlways(given) ? cases : rest).push(given);
          }
        }
      }
    }
  }
  if (isFull) return [...cases, ...rest];
  return [...cases, ...Array.from({ length: drawn }, () => pick(rest, random))];
}

/**
 * A request that fails for good, and one whose answer is lost once; whether everything after it fails too is
 * random.
 */
function isAlways({ flow, isWarm, fault: { kind, reach } }: FaultCase): boolean {
  const isFirst = reach === 'step' ? always.includes(kind) : reach === 'once' && kind === 'lose';
  return isFirst && (isWarm || flow.isTriedCold === true);
}
