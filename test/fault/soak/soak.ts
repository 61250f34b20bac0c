import { setTimeout as pause } from 'node:timers/promises';
import type { Flow } from '../flows/flow.ts';
import { findLeftovers, findViolations } from '../invariants/check.ts';
import { tellStream } from '../matrix/run-case.ts';
import { pick } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { findLeaks, type ProcessState, readProcessState } from './process-state.ts';
import { use } from './records.ts';
import { Tally } from './tally.ts';
import type { Weather } from './weather.ts';

export interface SoakOptions {
  minutes: number;
  random(): number;
  flows: readonly Flow[];
  /** Called with a line each minute. */
  report(line: string): void;
}

const workers = 8;
/** Uses before the first measurement of the process; by then everything is loaded. */
const warmUses = 300;

/** Uses the service while faults come and go. @returns the problems during and after it */
export async function soak(world: World, weather: Weather, options: SoakOptions): Promise<string[]> {
  const { minutes, random, flows, report } = options;
  const endsAt = Date.now() + minutes * 60_000;
  const tally = new Tally();
  const busy = new Map<Flow, number>();
  let before: ProcessState | undefined;

  function choose(): Flow {
    const flow = pick(flows, random);
    return (busy.get(flow) ?? 0) < (flow.atOnce ?? workers) ? flow : choose();
  }

  async function work(): Promise<void> {
    while (Date.now() < endsAt) {
      const flow = choose();
      busy.set(flow, (busy.get(flow) ?? 0) + 1);
      tally.add(await use(world, flow, random() < 0.5));
      busy.set(flow, (busy.get(flow) ?? 0) - 1);
      if (!before && tally.uses >= warmUses) before = await measure(world);
    }
  }

  async function tell(): Promise<void> {
    for (let minute = 1; Date.now() < endsAt; minute += 1) {
      await pause(Math.min(60_000, endsAt - Date.now()));
      report(`minute ${minute}: ${tally.describe()}; ${describeWeather(weather)}`);
      tally.problems.push(...world.journal.takeDefects());
      await world.saveSettings('storage', { default: pick(['local', 'aliyun'], random) });
    }
  }

  await Promise.all([tell(), ...Array.from({ length: workers }, work)]);
  weather.clear();
  const after = await measure(world);
  report(`held: ${JSON.stringify(before)} at first, ${JSON.stringify(after)} at last`);
  return [
    ...tally.problems,
    ...(await finish(world, tally)),
    ...(await lookAgain(world, tally)),
    ...(await findViolations(world)),
    ...(await findLeftovers(world)),
    ...world.journal.takeDefects(),
    ...findLeaks(before ?? after, after),
  ];
}

/** Repeats what stopped half way, as a client would after a refusal. */
async function finish(world: World, { halfDone }: Tally): Promise<string[]> {
  const problems: string[] = [];
  for (const { flow, state } of halfDone) {
    const { code } = await flow.act(world, state);
    if ((await flow.look(world, state)) !== 'after') problems.push(`${flow.name}: not finished, ${code}`);
  }
  return problems;
}

/** Checks that every acknowledged write is shown after the stream listener has run. */
async function lookAgain(world: World, { records }: Tally): Promise<string[]> {
  const problems: string[] = [];
  for (const { flow, state } of records) {
    // Later uses overwrite settings.
    if (!flow.isLenient && !flow.atOnce && (await flow.look(world, state)) !== 'after') {
      problems.push(`${flow.name}: what was acknowledged is gone`);
    }
    const changes = flow.changes(state);
    if (changes.length > 0) await tellStream(world, changes);
    if (!(await flow.isShown(world, state))) problems.push(`${flow.name}: stale at the end`);
  }
  return problems;
}

/** Drops the records of test doubles, which are not growth of the service. */
async function measure(world: World): Promise<ProcessState> {
  world.provider.requests.length = 0;
  world.cloud.requests.length = 0;
  await world.chill();
  return readProcessState();
}

const describeWeather = ({ met }: Weather): string =>
  [...met].map(([kind, count]) => `${kind} ${count}`).join(', ');
