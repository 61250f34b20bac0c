import { recordReservedKinds, reservedKeysFile } from '#functions/checks/reserved-keys.ts';
import { generate } from '#functions/generate.ts';
import { answeredBy, type Manifest } from '#functions/model.ts';
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
  const own = [...jobs, ...listeners].map(({ functionName }) => functionName);
  return [...new Set(routes.map(answeredBy)), ...own];
}

/** These hold parts of every module: a module with tools only makes them grow too. */
const isShared = (stack: string) => stack === coreStack || stack === aggregateStack;

async function renew(): Promise<void> {
  loadEnvFile();
  const manifest = await generate(root);
  printWarnings(manifest);
  writePages(root, manifest);
  recordReservedKinds(root);
  console.log(`Written: docs/errors.md, docs/api.md, permissions.txt, ${reservedKeysFile}`);
  const recorded = readBudgets(root);
  const stacks = listStacks(manifest);
  const isNew = (stack: string) => !listNames(manifest, stack).every((name) => recorded.has(name));
  const { budgets } = packageStacks(
    manifest,
    stacks.filter((stack) => isShared(stack) || isNew(stack)),
  );
  const listAll = (among: string[]) => [
    fallbackName,
    ...among.flatMap((stack) => listNames(manifest, stack)),
  ];
  const shared = new Set(listAll(stacks.filter(isShared)));
  renewBudgets(root, budgets, { names: listAll(stacks), isShared: (name) => shared.has(name) });
}

const summary =
  'Renews the generated records: permissions.txt, the first parts of the keys of the platform, the tables of docs/errors.md and docs/api.md, and the sizes of new bundles, and of grown ones with parts of every module, in bench/budgets.json.';
process.exitCode = await runProgram(createProgram('npm run records', summary).action(renew));
