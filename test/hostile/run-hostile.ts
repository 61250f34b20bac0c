import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { root } from '#cli/project.ts';
import { currentCost } from '#shared/auth/password.ts';
import { ApiContract } from '../support/api-contract.ts';
import { type Functions, startFunctions } from '../support/functions.ts';
import { OpenApiDocument } from '../support/open-api-document.ts';
import { findFault } from './check/find-fault.ts';
import { findViolations } from './find-violations.ts';
import { anyRequest, listOperations } from './generate/requests.ts';
import { readEverything } from './read-everything.ts';
import type { HostileRequest } from './request.ts';
import { send } from './send.ts';
import { createTally } from './tally.ts';
import { watchProcess } from './watch-process.ts';
import { createWorld, type World } from './world/world.ts';

/** Longest that a request may take, in milliseconds. */
const hangMs = 2000;
/** Requests between two restorations of settings and people. */
const restoreEvery = 100;
/** Most that the heap may grow from the middle of a run to its end. */
const grownBytes = 64 * 1024 * 1024;

export interface HostileOptions {
  seed: number;
  count: number;
  /** Collects what is wrong with each operation, in place of stopping at the first and making it smaller. */
  isGoingOn?: boolean;
}

export interface HostileOutcome {
  /** What is wrong, each for people; empty after a good run. */
  faults: string[];
  /** The request that failed, as small as it could be made; for sending it again. */
  failing: HostileRequest | undefined;
  unreached: string[];
  summary: string;
}

/** A service with a world in it, and what its answers are held against. */
export interface Ground {
  functions: Functions;
  world: World;
  document: Record<string, unknown>;
  contract: ApiContract;
  stop(): Promise<void>;
}

/** Starts the functions, fills their stores, and takes what hashing costs out of the time of a run. */
export async function prepareGround(): Promise<Ground> {
  const environment = { ALLOW_PRIVATE_ENDPOINTS: '1', TZ_NAME: 'Asia/Shanghai' };
  // What is measured here is not how slow a password is to guess.
  Object.assign(currentCost, { ln: 4, p: 1 });
  const functions = await startFunctions({ environment });
  const world = await createWorld(functions);
  const document = JSON.parse(readFileSync(join(root, '.build', 'openapi', 'en.json'), 'utf8'));
  return {
    functions,
    world,
    document,
    contract: new ApiContract(document),
    async stop() {
      await world.stop();
      await functions.stop();
    },
  };
}

/** Sends generated requests to every route; one after the other, so that a seed says what happens. */
export async function runHostile(ground: Ground, options: HostileOptions): Promise<HostileOutcome> {
  const { seed, count, isGoingOn = false } = options;
  const { functions, world, document, contract } = ground;
  const templates = listOperations(document).map(({ method, path }) => `${method} ${path}`);
  const tally = createTally(templates);
  const lookup = new OpenApiDocument(document);
  const watch = watchProcess();
  const faults = new Map<string, string>();
  let sent = 0;
  let heapInTheMiddle = 0;
  const { error, warn } = console;
  // Failures that are meant are logged, and would be all there is to read.
  console.error = () => {};
  console.warn = () => {};

  async function probe(request: HostileRequest): Promise<void> {
    sent += 1;
    if (sent % restoreEvery === 0) await world.restore();
    if (sent === Math.floor(count / 2)) heapInTheMiddle = watch.measureHeap();
    const exchanged = await send(request, functions, world);
    const { answer, request: asked } = exchanged;
    const operation = nameOperation(lookup, asked);
    tally.count(operation, request, answer, exchanged.durationMs);
    world.things.learn(asked.path, answer);
    const fault =
      findFault(contract, exchanged) ?? watch.findFault() ?? (await findHang(request, exchanged.durationMs));
    if (fault === undefined) return;
    if (!isGoingOn) throw new Error(`${operation} ${fault}`);
    const key = `${operation} ${fault.slice(0, 60)}`;
    if (!faults.has(key)) faults.set(key, `${operation} ${fault}\n${JSON.stringify(request).slice(0, 3000)}`);
  }

  async function findHang(request: HostileRequest, durationMs: number): Promise<string | undefined> {
    if (durationMs <= hangMs) return undefined;
    // Another process may have had the processor meanwhile.
    const again = await send(request, functions, world);
    return again.durationMs > hangMs
      ? `takes ${durationMs.toFixed(0)} and ${again.durationMs.toFixed(0)} ms`
      : undefined;
  }

  try {
    const property = fc.asyncProperty(anyRequest(document), probe);
    const details = await fc.check(property, { seed, numRuns: count });
    const list = [...faults.values()];
    if (details.failed) list.push(String(details.errorInstance));
    if (!details.failed) {
      await world.restore();
      list.push(...(await readEverything(document, functions, world, contract)));
      list.push(...(await findViolations(functions)).map((each) => `after all: ${each}`));
      const grown = watch.measureHeap() - heapInTheMiddle;
      if (grown > grownBytes) list.push(`the heap has grown by ${grown} bytes in the second half`);
      const late = watch.findFault();
      if (late !== undefined) list.push(late);
    }
    const summary = [`seed ${seed}`, tally.describe()].join('\n');
    return { faults: list, failing: details.counterexample?.[0], unreached: tally.unreached(), summary };
  } finally {
    Object.assign(console, { error, warn });
    watch.stop();
  }
}

/** Method and template of a request's path; what is not documented under a name of its own. */
function nameOperation(document: OpenApiDocument, { method, path }: HostileRequest): string {
  const [, template] = document.findPath(path) ?? [];
  const isKnown =
    template !== undefined && document.find(['paths', template, method.toLowerCase()]) !== undefined;
  return isKnown ? `${method} ${template}` : 'what no route takes';
}
