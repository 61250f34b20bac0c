import { mapConcurrently } from '#modules/System/files/manager/delete-files.ts';
import type { Flow } from '../flows/flow.ts';
import type { FaultKind, Store } from '../wire/fault.ts';
import type { World } from '../world/world.ts';
import { countSteps, planCases } from './plan.ts';
import { type CaseOutcome, describeCase, type FaultCase, runCase } from './run-case.ts';

/** The result of a matrix. */
export interface MatrixOutcome {
  cases: number;
  /** Stores at whose steps faults were. */
  stores: Store[];
  problems: string[];
}

/** Cases under way at a time. */
const casesAtOnce = 24;
/** Kinds that take seconds. They run apart, because other runs would share their requests. */
const lasting: readonly FaultKind[] = ['hang', 'mute', 'slow'];

/**
 * Runs every case of some flows, many at a time: most of their time is waiting.
 *
 * @param store the only one that fails; any by default
 */
export async function runMatrix(world: World, flows: readonly Flow[], store?: Store): Promise<MatrixOutcome> {
  const plans: FaultCase[][] = [];
  for (const flow of flows) plans.push(await planCases(world, flow, store));
  const isLasting = ({ fault }: FaultCase) => lasting.includes(fault.kind);
  const problems: string[] = [];
  for (const wave of [false, true]) {
    const cases = plans.map((plan) => plan.filter((given) => isLasting(given) === wave));
    problems.push(...(await runWave(world, cases)));
  }
  const met = new Set(plans.flat().map(({ fault }) => fault.store));
  return {
    cases: plans.flat().length,
    stores: [...met].sort(),
    problems: [...problems, ...world.journal.takeDefects()],
  };
}

/** Runs the cases of each flow; flows with limited concurrency run beside the others. */
async function runWave(world: World, plans: FaultCase[][]): Promise<string[]> {
  const narrow = plans.filter(([first]) => first?.flow.atOnce !== undefined);
  const wide = plans.filter((plan) => !narrow.includes(plan)).flat();
  const problems = await Promise.all([
    runAll(world, wide, casesAtOnce),
    ...narrow.map((plan) => runAll(world, plan, plan[0]?.flow.atOnce ?? 1)),
  ]);
  return problems.flat();
}

async function runAll(world: World, cases: FaultCase[], atOnce: number): Promise<string[]> {
  const outcomes = await mapConcurrently(cases, atOnce, (given) => runCase(world, given));
  // Run one by one, cases cannot share a request.
  const unclear = cases.filter((given, index) => isUnclear(given, outcomes[index]));
  const clear = outcomes.filter((outcome, index) => !isUnclear(cases[index], outcome));
  const alone = await mapConcurrently(unclear, 1, (given) => runAlone(world, given));
  return [...clear, ...alone].flatMap(({ problem }) => problem ?? []);
}

/** Whether other runs may have changed the result of a case. */
function isUnclear(given?: FaultCase, { isHit, problem }: Partial<CaseOutcome> = {}): boolean {
  return problem === undefined ? !isHit : given !== undefined && lasting.includes(given.fault.kind);
}

/** Tries of a case whose run made fewer requests than its plan: the timing of a busy machine joins or splits some. */
const maxTries = 5;

async function runAlone(world: World, given: FaultCase): Promise<CaseOutcome> {
  const { flow, fault, isWarm } = given;
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const outcome = await runCase(world, given);
    if (outcome.isHit || outcome.problem) return outcome;
    const counts = await countSteps(world, flow, isWarm);
    // While the cases were planned, there may have been a request that the flow does not need.
    if (fault.at >= (counts.get(fault.store) ?? 0)) return outcome;
  }
  return { isHit: false, problem: `${describeCase(given)}: never met its fault` };
}
