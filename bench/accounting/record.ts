import { setTimeout as sleep } from 'node:timers/promises';
import { createFunctionMap } from '../../functions/stacks/function-map.ts';
import { currentCost } from '../../shared/auth/password.ts';
import { markSpread } from '../../shared/db/paging/spread-index.ts';
import { dropCached, prepareInvocation, send } from '../../test/round-trips/invocation.ts';
import { createKit, type Kit } from '../../test/round-trips/kit.ts';
import { events, functionOf, requests } from '../../test/round-trips/scenarios.ts';
import { startFunctions } from '../../test/support/functions.ts';
import { indexes } from '../../test/support/keys.ts';
import type { Usage } from './access.ts';
import { type Recorder, startRecordingProxy, timeBeside } from './recording-proxy.ts';

/** The use of the stores by a scenario of `test/round-trips`, in a warm process. */
export interface Recorded {
  scenario: string;
  functionName: string;
  memoryMb: number;
  /** With nothing cached. */
  miss: Usage;
  /** With everything cached. */
  hit: Usage;
}

export interface RecordOptions {
  /** Names of scenarios; all by default. */
  names?: readonly string[];
  /** Names of functions, whose scenarios are recorded. */
  functions?: readonly string[];
  /** Records an installation whose lists are full and spread over partitions. @default false */
  isBusy?: boolean;
}

/** Timed turns; the fastest counts, because other work of the machine only adds time. */
const timedTurns = 3;

/**
 * Runs every scenario against its own stores, and counts. Call it once in a process: sources keep the environment that
 * they have read. The entries of the functions must exist.
 */
export async function recordScenarios(options: RecordOptions): Promise<Recorded[]> {
  const recorder: Recorder = { spans: [] };
  const realCost = { ...currentCost };
  const between = (url: string) => startRecordingProxy(url, recorder);
  const functions = await startFunctions({ betweenDatabase: between, betweenCache: between });
  // Functions under test hash passwords cheaply; here the real time counts.
  Object.assign(currentCost, realCost);
  const kit = await createKit(functions);
  const definitions = createFunctionMap(functions.manifest, 'local');
  const known = [...Object.keys(requests), ...Object.keys(events)].sort();
  const recorded: Recorded[] = [];
  try {
    if (options.isBusy) await fillLists(kit);
    for (const scenario of known.filter((name) => isAsked(name, options))) {
      const functionName = functionOf(scenario);
      const memoryMb = definitions[functionName]?.memorySize ?? 512;
      recorded.push({ scenario, functionName, memoryMb, ...(await record(kit, recorder, scenario)) });
    }
    return recorded;
  } finally {
    await kit.stop();
    await functions.stop();
  }
}

const isAsked = (scenario: string, { names, functions }: RecordOptions): boolean =>
  (!names || names.includes(scenario)) && (!functions || functions.includes(functionOf(scenario)));

/** A page of articles of realistic length, and lists that are spread. */
async function fillLists({ admin, ask }: Kit): Promise<void> {
  const { usersByCreation, filesByCreation, filesByType } = indexes;
  const image = { name: filesByType.name, pk: filesByType.pk('image') };
  for (const index of [usersByCreation, filesByCreation, image]) await markSpread(index);
  const summary = 'What an article says in short, as a list shows it. '.repeat(4);
  const article = { category: 'news', content: '<p>text</p>', status: 'enabled', summary };
  for (let count = 1; count <= 20; count++) {
    await ask(admin.post('/adminapi/article/article/add', { ...article, title: `Article ${count}` }));
  }
}

async function record(kit: Kit, recorder: Recorder, scenario: string): Promise<{ miss: Usage; hit: Usage }> {
  const run = async (isCached: boolean): Promise<Usage> => {
    const { run: invoke, passGates } = await prepareInvocation(kit, scenario);
    if (isCached) await passGates();
    await flush(kit);
    if (!isCached) await dropCached(kit);
    return recordOne(kit, recorder, invoke);
  };
  await run(true);
  const misses: Usage[] = [];
  const hits: Usage[] = [];
  for (let turn = 0; turn < timedTurns; turn++) {
    misses.push(await run(false));
    hits.push(await run(true));
  }
  return { miss: fastest(misses), hit: fastest(hits) };
}

/** The accesses of the last turn, with the time of the fastest. */
function fastest(usages: readonly Usage[]): Usage {
  const computeMs = Math.min(...usages.map((usage) => usage.computeMs));
  return { accesses: [], commands: 0, ...usages.at(-1), computeMs };
}

async function recordOne(kit: Kit, recorder: Recorder, invoke: () => Promise<void>): Promise<Usage> {
  const open = { accesses: [], commands: 0 };
  recorder.open = open;
  recorder.spans = [];
  const from = performance.now();
  try {
    await invoke();
    const computeMs = timeBeside(recorder.spans, from, performance.now());
    // Commands deferred to the next request belong to this one.
    const database = [...open.accesses];
    await flush(kit);
    const riding = open.accesses.slice(database.length).filter(({ place }) => place === 'cache');
    return { accesses: [...database, ...riding], commands: open.commands, computeMs };
  } finally {
    recorder.open = undefined;
  }
}

/** Sends the commands that earlier requests deferred. */
async function flush(kit: Kit): Promise<void> {
  await send(kit, { method: 'GET', path: '/health' });
  await sleep(0);
}
