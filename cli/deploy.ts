import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from '#functions/generate.ts';
import { aggregateStack, listStacks } from '#functions/stacks/stack.ts';
import { moduleNamePattern, toRoutePrefix } from '#shared/module/module.ts';
import { createProgram, runProgram, UsageError } from './command.ts';
import { assertDeployable } from './deploy/check/check-deployment.ts';
import { planPackages, planSources } from './deploy/check/plan.ts';
import { compare, type Verdict } from './deploy/compare.ts';
import { packageStack, packagesFolder, type StackPackage } from './deploy/package.ts';
import { readList, writeList } from './deploy/prebuilt.ts';
import { root } from './project.ts';

function chooseStacks(all: readonly string[], modules: readonly string[] | undefined): readonly string[] {
  if (!modules) return all;
  const chosen = new Set(modules.map((name) => (moduleNamePattern.test(name) ? toRoutePrefix(name) : name)));
  const unknown = [...chosen].find((stack) => !all.includes(stack));
  if (unknown) throw new UsageError(`there is no stack "${unknown}": use one of ${all.join(', ')}`);
  // The aggregate stack contains parts of every module.
  return all.filter((stack) => chosen.has(stack) || stack === aggregateStack);
}

function deployStack({ stack, folder }: StackPackage, stage: string): void {
  const env = { ...process.env, MODULE: stack };
  // Without --force, the framework compares with the last upload.
  const args = ['deploy', '--stage', stage, '--package', folder, '--force'];
  const { status } = spawnSync('serverless', args, { cwd: root, env, stdio: 'inherit' });
  if (status === 0) return;
  throw new Error(`${stack} was not deployed, and no stack after it. The next run deploys what is missing.`);
}

const collect = (name: string, before: string[] | undefined): string[] => [...(before ?? []), name];

/** Packages the chosen stacks one after the other. */
async function* packageChosen(stage: string, modules: readonly string[] | undefined) {
  for (const stack of chooseStacks(listStacks(await generate(root)), modules)) {
    yield packageStack(root, stack, stage);
  }
}

/** The chosen ones of packages that were built elsewhere. */
function* readChosen(stage: string, modules: readonly string[] | undefined, digest: string) {
  const packages = readList(root, stage, digest);
  const chosen = chooseStacks(
    packages.map(({ stack }) => stack),
    modules,
  );
  yield* packages.filter(({ stack }) => chosen.includes(stack));
}

async function build(stage: string, modules: readonly string[] | undefined): Promise<void> {
  rmSync(join(root, packagesFolder), { recursive: true, force: true });
  const packages = await Array.fromAsync(packageChosen(stage, modules));
  console.log(`Packaged ${packages.map(({ stack }) => stack).join(', ')}. SHA-256 of the list:`);
  console.log(writeList(root, stage, packages));
}

const summary = 'Packages the stacks, compares them with what is deployed, and deploys those that differ.';
const program = createProgram('npm run deploy', summary)
  .requiredOption('--stage <STAGE>', 'the stage, for example prod')
  .option(
    '--module <NAME>',
    "only this module's stack (System, or a stack's name: core) and aggregate; may be repeated",
    collect,
  )
  .option('--force', 'also deploy unchanged stacks')
  .option('--dry-run', 'only show what would be deployed, and why')
  .option('--build', `only package the stacks into ${packagesFolder}, without the cloud`)
  .option('--prebuilt <SHA256>', `deploy what --build left in ${packagesFolder}, if its list has this hash`)
  .option('--check', 'only check whether the account, the stores and the settings are ready')
  .action(async ({ stage, module: modules, force, dryRun, build: isBuild, prebuilt, check = false }) => {
    if (isBuild && (prebuilt !== undefined || force || dryRun || check))
      throw new UsageError('--build deploys nothing');
    if (isBuild) return build(stage, modules);
    const built = prebuilt === undefined ? undefined : [...readChosen(stage, modules, prebuilt)];
    await assertDeployable(built ? planPackages(root, stage, built) : planSources(root, stage), check);
    if (check) return;
    const compared: (StackPackage & Verdict)[] = [];
    for await (const packaged of built ?? packageChosen(stage, modules)) {
      const verdict = await compare(packaged, stage);
      console.log(`${packaged.stack}: ${verdict.kind} (${verdict.reason})`);
      compared.push({ ...packaged, ...verdict });
    }
    const blocked = compared.filter(({ kind }) => kind === 'blocked').map(({ stack }) => stack);
    if (blocked.length > 0) throw new Error(`Nothing was deployed, because of ${blocked.join(', ')}.`);
    const due = compared.filter(({ kind }) => force || kind !== 'same');
    if (due.length === 0) console.log('Nothing to deploy.');
    if (dryRun) return;
    for (const packaged of due) deployStack(packaged, stage);
  });
const exitCode = await runProgram(program);
if (exitCode !== 0) process.exit(exitCode);
