import { join } from 'node:path';
import { coreStack } from '#functions/stacks/stack.ts';
import { root } from '../project.ts';
import { openBucket } from './bucket.ts';
import { type Comparison, compare } from './compare.ts';
import { type DeployStack, deployOrExplain, deployStack, findRunning } from './deploy-stacks.ts';
import { beginRun, type History, markRun, type RunChanges, readHistory } from './history.ts';
import { fetchPackage } from './keep.ts';
import { planBack } from './plan-back.ts';
import { compareBack, toStackName } from './stack-state.ts';
import { readTableVersion } from './stage-facts.ts';

/** Folder of packages that are put back, from the project's root. */
const folder = join('.build', 'back');

interface BackOptions {
  region: string;
  stage: string;
  /** Names of stacks; undefined for all of the last run. */
  chosen?: readonly string[] | undefined;
  isDryRun?: boolean | undefined;
  /** Builds nothing: `folder` is the project in which the framework runs. */
  projectRoot?: string;
  deploy?: DeployStack;
}

/**
 * Puts back what ran before, without a build. Checks everything before it changes anything. A run that was interrupted
 * is finished by the same command.
 *
 * @throws Error with the reason if a stack cannot go back
 */
export async function goBack(options: BackOptions): Promise<void> {
  const { region, stage, chosen, isDryRun, projectRoot = root, deploy = deployStack } = options;
  const history = await readHistory(region, stage);
  if (!history) throw new Error(`The stage ${stage} has no stack ${coreStack} in ${region}.`);
  const known = new Set([...history.runs.flatMap(({ stacks }) => Object.keys(stacks)), ...(chosen ?? [])]);
  const states = await compareAll(known, history, options);
  const running = new Map([...states].map(([stack, state]) => [stack, state.hash]));
  const { id, changes } = planBack(history.runs, running, chosen);
  // A module's former code needs nothing that a former `core` lacks.
  const due = Object.keys(changes)
    .sort(compareBack)
    .filter((stack) => changes[stack]?.to !== running.get(stack));
  for (const stack of due) {
    const state = states.get(stack);
    if (!state || state.kind === 'new') throw new Error(`${stack}: the stack does not exist`);
    if (state.kind === 'blocked') throw new Error(`${stack}: ${state.reason}`);
  }
  await fetchAll(due, changes, { region, stage, projectRoot });
  for (const stack of due) console.log(`${stack}: back to ${changes[stack]?.to}`);
  if (isDryRun) return;
  const runId = id ?? (await beginRun(history, 'rollback', changes));
  for (const stack of due) await deployOrExplain(deploy, { stack, folder: join(folder, stack) }, options);
  await markRun(region, stage, runId, 'done');
}

async function compareAll(stacks: Iterable<string>, { runs }: History, { region, stage }: BackOptions) {
  const states = new Map<string, Comparison & { hash: string | null }>();
  for (const stack of stacks) {
    const service = toStackName(stack, stage).slice(0, -stage.length - 1);
    const state = await compare({ service, region, hash: '' }, stage);
    states.set(stack, { ...state, hash: findRunning(stack, state, runs) });
  }
  return states;
}

/** Fetches the packages, and refuses those whose code does not know the data of the table. */
async function fetchAll(
  stacks: readonly string[],
  changes: RunChanges,
  { region, stage, projectRoot }: { region: string; stage: string; projectRoot: string },
): Promise<void> {
  if (stacks.length === 0) return;
  const version = await readTableVersion(region, stage);
  for (const stack of stacks) {
    const bucket = await openBucket(region, toStackName(stack, stage));
    if (!bucket) throw new Error(`${stack}: the stack has no deployment bucket`);
    const hash = changes[stack]?.to ?? '';
    const schema = await fetchPackage(bucket, { stack, stage, hash }, join(projectRoot, folder, stack));
    if (version > schema)
      throw new Error(
        `${stack}: the data of the table has version ${version}, and the former code knows ${schema}. ` +
          'Data does not go back: deploy a correction.',
      );
  }
}
