import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createFunctionMap } from '#functions/function-map.ts';
import { generate } from '#functions/generate.ts';
import { codeFolder, readOutputs } from '#functions/keep-chunks-apart.ts';
import type { Manifest } from '#functions/model.ts';
import { serviceName } from '#functions/names.ts';
import { listStacks, selectStack, wholeStack } from '#functions/stacks/stack.ts';
import { createProgram, runProgram } from './command.ts';
import { runPackage, templateFile } from './deploy/package.ts';
import { answerEvents } from './package/answer-events.ts';
import { type Budget, measureBundle } from './package/budgets/budget.ts';
import { checkBudgets, updateBudgets } from './package/budgets/compare-budgets.ts';
import {
  checkArchive,
  checkRoutes,
  checkTemplate,
  listExports,
  type Template,
} from './package/check-stack.ts';
import { root } from './project.ts';
import { printWarnings } from './terminal.ts';

const stage = 'dev';
const folderOf = (stack: string) => join('.build', 'packages', stack);

/** The packaged bundles, by function name; `files` holds the paths of their entries. */
type Packaged = { files: Map<string, string>; budgets: Map<string, Budget> };

function check(
  manifest: Manifest,
  stack: string,
  template: Template,
  exported: ReadonlySet<string>,
  packaged: Packaged,
): void {
  const functions = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  const kind = stack === wholeStack ? 'whole' : 'module';
  const faults = [...checkTemplate(template, exported, kind), ...checkRoutes(manifest, stack, template)];
  const declared = createFunctionMap(selectStack(manifest, stack), stage);
  for (const { Properties } of functions) {
    const name = String(Properties?.FunctionName).slice(`${serviceName}-${stage}-`.length);
    const report = readOutputs(root, stack, name);
    const archive = join(root, folderOf(stack), `${name}.zip`);
    faults.push(...checkArchive(archive, stack, report, declared[name]?.package?.patterns));
    packaged.files.set(name, join(root, codeFolder(stack), '.build', 'entries', `${name}.mjs`));
    packaged.budgets.set(name, measureBundle(report));
  }
  if (faults.length > 0) throw new Error(`${stack}: ${faults.join('; ')}`);
  const count = Object.keys(template.Resources).length;
  console.log(`Packaged ${stack}: ${functions.length} functions, ${count} resources`);
}

async function packageAll(isUpdate: boolean): Promise<void> {
  const manifest = await generate(root);
  printWarnings(manifest);
  rmSync(join(root, '.build', 'packages'), { recursive: true, force: true });
  const exported = new Set<string>();
  const packaged: Packaged = { files: new Map(), budgets: new Map() };
  for (const stack of [...listStacks(manifest), wholeStack]) {
    runPackage(root, stack, stage, folderOf(stack));
    const template: Template = JSON.parse(readFileSync(join(root, folderOf(stack), templateFile), 'utf8'));
    const isWhole = stack === wholeStack;
    if (!isWhole) for (const name of listExports(template)) exported.add(name);
    // The whole service needs no other stack.
    check(manifest, stack, template, isWhole ? new Set() : exported, packaged);
  }
  const answered = answerEvents(manifest, packaged.files);
  console.log(`Every function loads, and ${answered} answer a recorded event.`);
  if (isUpdate) updateBudgets(root, packaged.budgets);
  else checkBudgets(root, packaged.budgets);
}

const summary =
  'Packages every stack as a deployment would, then all of them as one service, and checks the results.';
const program = createProgram('npm run package', summary)
  .option(
    '--update-budgets',
    'record the sizes of the bundles in bench/budgets.json instead of checking them',
  )
  .action(({ updateBudgets: isUpdate = false }) => packageAll(isUpdate));
process.exitCode = await runProgram(program);
