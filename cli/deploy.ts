import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { generate } from '#functions/generate.ts';
import { aggregateStack, listStacks } from '#functions/stacks/stack.ts';
import { moduleNamePattern, toRoutePrefix } from '#shared/module/module.ts';
import { createProgram, runProgram, UsageError } from './command.ts';
import { goBack } from './deploy/back.ts';
import { assertDeployable } from './deploy/check/check-deployment.ts';
import { planPackages, planSources } from './deploy/check/plan.ts';
import { listChecks } from './deploy/check-stage.ts';
import { compare } from './deploy/compare.ts';
import { type Compared, deployStacks } from './deploy/deploy-stacks.ts';
import { packageStack, packagesFolder } from './deploy/package.ts';
import { readList, writeList } from './deploy/prebuilt.ts';
import { assertPreview, choosePreview, fillPreview } from './deploy/preview.ts';
import { readRegion } from './deploy/stack-state.ts';
import { verifyStage } from './deploy/verify.ts';
import { root } from './project.ts';

const toStack = (name: string): string => (moduleNamePattern.test(name) ? toRoutePrefix(name) : name);

function chooseStacks(all: readonly string[], modules: readonly string[] | undefined): readonly string[] {
  if (!modules) return all;
  const chosen = new Set(modules.map(toStack));
  const unknown = [...chosen].find((stack) => !all.includes(stack));
  if (unknown) throw new UsageError(`there is no stack "${unknown}": use one of ${all.join(', ')}`);
  // The aggregate stack contains parts of every module.
  return all.filter((stack) => chosen.has(stack) || stack === aggregateStack);
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

interface DeployOptions {
  stage: string;
  module?: readonly string[] | undefined;
  prebuilt?: string | undefined;
  force?: boolean | undefined;
  dryRun?: boolean | undefined;
  preview?: boolean | undefined;
  check?: boolean | undefined;
}

async function deploy(options: DeployOptions): Promise<void> {
  const { stage, module: modules, prebuilt, force, dryRun, preview = false, check = false } = options;
  const built = prebuilt === undefined ? undefined : [...readChosen(stage, modules, prebuilt)];
  await assertDeployable(built ? planPackages(root, stage, built) : planSources(root, stage), check);
  if (check) return;
  await assertPreview(readRegion(), stage, preview);
  const compared: Compared[] = [];
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
  const region = compared[0]?.region ?? readRegion();
  await deployStacks(compared, due, { root, region, stage });
  if (preview) await fillPreview(region, stage);
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
  .addOption(
    new Option('--build', `only package the stacks into ${packagesFolder}, without the cloud`).conflicts([
      'prebuilt',
      'rollback',
      'verify',
      'check',
      'dryRun',
      'force',
    ]),
  )
  .option('--prebuilt <SHA256>', `deploy what --build left in ${packagesFolder}, if its list has this hash`)
  .option('--check', 'only check whether the account, the stores and the settings are ready')
  .addOption(
    new Option(
      '--rollback',
      'put back what ran before the last run, or before the last change of each --module',
    ).conflicts(['prebuilt', 'verify', 'check', 'force', 'preview', 'like']),
  )
  .addOption(
    new Option(
      '--verify',
      'ask the stage, raise its data if due, and put back the last run if anything fails',
    ).conflicts(['prebuilt', 'check', 'dryRun', 'force', 'module', 'preview', 'like']),
  )
  .option('--preview', 'deploy a stage beside the others, with example data: pr-12')
  .option('--like <STAGE>', 'the stage whose parameters a preview reads')
  .action(async (options) => {
    const { stage, module: modules, dryRun: isDryRun, like, preview } = options;
    const region = readRegion();
    if (options.rollback) return goBack({ region, stage, chosen: modules?.map(toStack), isDryRun });
    if (options.verify) return verifyStage({ region, stage, checks: listChecks(await generate(root)) });
    if (like !== undefined && !preview) throw new UsageError('--like is for --preview');
    if (preview) choosePreview(stage, like);
    await (options.build ? build(stage, modules) : deploy(options));
  });
const exitCode = await runProgram(program);
if (exitCode !== 0) process.exit(exitCode);
