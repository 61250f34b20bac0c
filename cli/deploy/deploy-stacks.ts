import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { reasonOf } from '#functions/scope.ts';
import { coreStack } from '#functions/stacks/stack.ts';
import { root } from '../project.ts';
import { openBucket } from './bucket.ts';
import type { Comparison } from './compare.ts';
import { beginRun, type History, markRun, type RunChanges, readHistory } from './history.ts';
import { forgetPackages, keepPackage } from './keep.ts';
import type { StackPackage } from './package.ts';
import { explainStack } from './stack-failures.ts';
import { toStackName } from './stack-state.ts';

/** A package with its verdict. */
export type Compared = StackPackage & Comparison;

/** Deploys a package with the framework. @throws Error if CloudFormation does not end the change completely */
export type DeployStack = (packaged: Pick<StackPackage, 'stack' | 'folder'>, stage: string) => Promise<void>;

/** See {@link DeployStack}. The framework prints what happens. */
export const deployStack: DeployStack = async ({ stack, folder }, stage) => {
  const env = { ...process.env, MODULE: stack };
  // Without --force, the framework compares with the last upload.
  const args = ['deploy', '--stage', stage, '--package', folder, '--force'];
  const child = spawn('serverless', args, { cwd: root, env, stdio: 'inherit' });
  const [status] = await once(child, 'close');
  if (status === 0) return;
  throw new Error(`${stack} was not deployed, and no stack after it. The next run deploys what is missing.`);
};

/**
 * Deploys a package, and says what CloudFormation says if that fails.
 *
 * @throws Error with the resources that could not be changed, and the command that mends it
 */
export async function deployOrExplain(
  deploy: DeployStack,
  packaged: Pick<StackPackage, 'stack' | 'folder'>,
  { region, stage }: { region: string; stage: string },
): Promise<void> {
  try {
    await deploy(packaged, stage);
  } catch (error) {
    // The first failure counts, also if its cause cannot be read.
    const lines = await explainStack({ region, stage, stack: packaged.stack }).catch(() => []);
    throw new Error([...lines, reasonOf(error)].join('\n'), { cause: error });
  }
}

interface DeployOptions {
  root: string;
  region: string;
  stage: string;
  deploy?: DeployStack;
}

/**
 * The hash of the content that a stack runs now. CloudFormation says it by a tag, except after a rollback: then it is
 * what ran before the last run.
 */
export function findRunning(
  stack: string,
  { running, isRolledBack }: Pick<Comparison, 'running' | 'isRolledBack'>,
  runs: History['runs'],
): string | null {
  if (!isRolledBack) return running ?? null;
  return runs.findLast(({ stacks }) => stacks[stack])?.stacks[stack]?.from ?? null;
}

/**
 * Deploys packages in their order, and notes the run in the history of the stage. Each package is kept, so that
 * `--rollback` can put it back. A run that ends at any step needs no repair: the next one notes what is missing.
 *
 * @param compared also the unchanged ones, which are kept if an earlier run could not keep them
 * @param due those that are deployed
 */
export async function deployStacks(
  compared: readonly Compared[],
  due: readonly Compared[],
  { root: folder, region, stage, deploy = deployStack }: DeployOptions,
): Promise<void> {
  for (const packaged of compared) if (packaged.kind !== 'new') await keep(folder, packaged, stage);
  await finishLast(compared, { region, stage });
  if (due.length === 0) return;
  const begin = async () => {
    const history = await readHistory(region, stage);
    return history && beginRun(history, 'deploy', listChanges(due, history));
  };
  let id = await begin();
  for (const packaged of due) {
    await deployOrExplain(deploy, packaged, { region, stage });
    if (packaged.kind === 'new') await keep(folder, packaged, stage);
    // Only now the stage has a bucket for its history.
    if (packaged.stack === coreStack) id ??= await begin();
  }
  if (id) await markRun(region, stage, id, 'done');
  await forget(compared, { region, stage });
}

/** Notes the end of a deployment that was lost after its last stack. */
async function finishLast(
  compared: readonly Compared[],
  { region, stage }: Pick<DeployOptions, 'region' | 'stage'>,
): Promise<void> {
  const last = (await readHistory(region, stage))?.runs.at(-1);
  if (last?.kind !== 'deploy' || last.state !== 'open') return;
  const running = new Map(compared.map((packaged) => [packaged.stack, packaged.running]));
  const isComplete = Object.entries(last.stacks).every(([stack, { to }]) => running.get(stack) === to);
  if (isComplete) await markRun(region, stage, last.id, 'done');
}

const listChanges = (due: readonly Compared[], { runs }: History): RunChanges =>
  Object.fromEntries(
    due.map((packaged) => {
      const from = findRunning(packaged.stack, packaged, runs);
      return [packaged.stack, { from, to: packaged.hash }];
    }),
  );

async function keep(folder: string, packaged: Compared, stage: string): Promise<void> {
  const bucket = await openBucket(packaged.region, toStackName(packaged.stack, stage));
  if (bucket) await keepPackage(bucket, folder, packaged, stage);
}

/** Deletes kept packages that no remembered run names. */
async function forget(
  compared: readonly Compared[],
  { region, stage }: Pick<DeployOptions, 'region' | 'stage'>,
): Promise<void> {
  const { runs = [] } = (await readHistory(region, stage)) ?? {};
  for (const { stack, hash } of compared) {
    const named = runs.flatMap(({ stacks }) => [stacks[stack]?.from, stacks[stack]?.to]);
    const bucket = await openBucket(region, toStackName(stack, stage));
    if (bucket) await forgetPackages(bucket, new Set([hash, ...named.flatMap((each) => each ?? [])]));
  }
}
