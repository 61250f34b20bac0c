import { generate } from '#functions/generate.ts';
import type { Manifest } from '#functions/model.ts';
import { fallbackName } from '#functions/names.ts';
import { aggregateStack, coreStack, listStacks, selectStack } from '#functions/stacks/stack.ts';
import { writePages } from '#functions/write-tables.ts';
import { createProgram, runProgram } from './command.ts';
import { loadEnvFile } from './environment.ts';
import { readBudgets, renewBudgets } from './package/budgets/compare-budgets.ts';
import { packageStacks } from './package/package-stacks.ts';
import { root } from './project.ts';
import { printWarnings } from './terminal.ts';

function listNames(manifest: Manifest, stack: string): string[] {
  const { routes, jobs, listeners } = selectStack(manifest, stack);
  return [...routes, ...jobs, ...listeners].map(({ functionName }) => functionName);
}

/** Stacks with new functions, and the two that hold parts of every module. None if every function is recorded. */
function listUnrecorded(manifest: Manifest, isRecorded: (name: string) => boolean): string[] {
  const isNew = (stack: string) => !listNames(manifest, stack).every(isRecorded);
  const stacks = listStacks(manifest);
  if (!stacks.some(isNew)) return [];
  return stacks.filter((stack) => stack === coreStack || stack === aggregateStack || isNew(stack));
}

async function renew(): Promise<void> {
  loadEnvFile();
  const manifest = await generate(root);
  printWarnings(manifest);
  writePages(root, manifest);
  console.log('Written: docs/errors.md, docs/api.md, permissions.txt');
  const recorded = readBudgets(root);
  const stacks = listUnrecorded(manifest, (name) => recorded.has(name));
  const { budgets } = packageStacks(manifest, stacks);
  const names = listStacks(manifest).flatMap((stack) => listNames(manifest, stack));
  renewBudgets(root, budgets, [fallbackName, ...names]);
}

const summary =
  'Renews the generated records: permissions.txt, the tables of docs/errors.md and docs/api.md, and the sizes of new bundles in bench/budgets.json.';
process.exitCode = await runProgram(createProgram('npm run records', summary).action(renew));
