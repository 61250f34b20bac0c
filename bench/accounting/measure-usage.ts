import { readBudgetFile } from '../../cli/package/budgets/budget-file.ts';
import { generate } from '../../functions/generate.ts';
import { runChild } from '../child.ts';
import { type ScenarioBill, toBilledMs, toScenarioBill } from '../cost/bill.ts';
import { goals, mix } from '../scale/mix.ts';
import type { Flow } from '../scale/simulate.ts';
import type { Recorded, RecordOptions } from './record.ts';

const inherited = ['PATH', 'HOME', 'JAVA_HOME', 'TMPDIR'];

async function record(root: string, options: RecordOptions): Promise<Recorded[]> {
  await generate(root);
  const environment = Object.fromEntries(
    inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  return runChild({ script: 'record', args: [JSON.stringify(options)], environment });
}

const tripsOf = (root: string) => {
  const recorded = readBudgetFile(root).roundTrips;
  return ({ scenario }: Recorded) => recorded[scenario] ?? { hit: 1, miss: 1 };
};

/**
 * What requests cost.
 *
 * @param functions names of functions; all by default
 */
export async function measureCost(root: string, functions?: readonly string[]): Promise<ScenarioBill[]> {
  const toTrips = tripsOf(root);
  const recorded = await record(root, { functions });
  return recorded.map((each) => toScenarioBill(each, toTrips(each)));
}

/** The use of a busy installation by the requests of the mix and of the goals. */
export async function measureFlows(root: string): Promise<Flow[]> {
  const names = [...Object.keys(mix), ...goals.flatMap(({ parts }) => Object.keys(parts))];
  const toTrips = tripsOf(root);
  const recorded = await record(root, { names, isBusy: true });
  return recorded.map((each) => ({
    ...each,
    billedMs: toBilledMs(each.hit, each.memoryMb, toTrips(each).hit),
  }));
}
