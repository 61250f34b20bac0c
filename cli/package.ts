import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '#functions/function-map.ts';
import { generate } from '#functions/generate.ts';
import { codeFolder } from '#functions/keep-chunks-apart.ts';
import type { Manifest } from '#functions/model.ts';
import { listMethods } from '#functions/model.ts';
import { serviceName } from '#functions/names.ts';
import { hasCore, listStacks, selectStack, wholeStack } from '#functions/stacks/stack.ts';
import { createProgram, runProgram } from './command.ts';
import { answerEvents } from './package/answer-events.ts';
import { checkBudgets, updateBudgets } from './package/budgets/check-budgets.ts';
import { checkArchive } from './package/check-archive.ts';
import { checkTemplate, listExports, type Template } from './package/template.ts';
import { printWarnings } from './print-warnings.ts';
import { root } from './project.ts';

const stage = 'dev';
const folderOf = (stack: string) => join('.build', 'packages', stack);

function packageStack(stack: string): Template {
  const args = ['package', '--stage', stage, '--package', folderOf(stack)];
  const env = { ...process.env, MODULE: stack === wholeStack ? '' : stack };
  const { status, stdout, stderr } = spawnSync('serverless', args, { cwd: root, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stack} cannot be packaged:\n${stdout}${stderr}`);
  const file = join(root, folderOf(stack), 'cloudformation-template-update-stack.json');
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The route keys that a stack has to have. */
function listRouteKeys(manifest: Manifest, stack: string): string[] {
  const { routes } = selectStack(manifest, stack);
  const keys = routes.flatMap((found) => listMethods(found).map((method) => `${method} ${found.path}`));
  return hasCore(stack) ? ['$default', ...keys] : keys;
}

function checkRoutes(manifest: Manifest, stack: string, { Resources }: Template): string[] {
  const found = Object.values(Resources).flatMap(({ Type, Properties }) =>
    Type === 'AWS::ApiGatewayV2::Route' ? [String(Properties?.RouteKey)] : [],
  );
  const expected = listRouteKeys(manifest, stack);
  return [
    ...expected.filter((key) => !found.includes(key)).map((key) => `the route ${key} is missing`),
    ...found.filter((key) => !expected.includes(key)).map((key) => `the route ${key} is too much`),
  ];
}

/** Checks what was packaged for a stack. @returns the path of each entry's bundle, by the function's name */
async function check(
  manifest: Manifest,
  stack: string,
  template: Template,
  exported: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const functions = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  const names = functions.map(({ Properties }) =>
    String(Properties?.FunctionName).slice(`${serviceName}-${stage}-`.length),
  );
  const bundles = new Map(
    names.map((name) => [name, join(root, codeFolder(stack), '.build', 'entries', `${name}.mjs`)]),
  );
  const userFunctions = new Set(
    manifest.routes.flatMap(({ route, functionName }) => (route.area === 'api' ? [functionName] : [])),
  );
  const faults = [...checkTemplate(template, exported), ...checkRoutes(manifest, stack, template)];
  for (const [name, bundle] of bundles) {
    const archive = join(root, folderOf(stack), `${name}.zip`);
    faults.push(...(await checkArchive(archive, bundle, userFunctions.has(name) ? [lockFile] : [])));
  }
  if (faults.length > 0) throw new Error(`${stack}: ${faults.join('; ')}`);
  const count = Object.keys(template.Resources).length;
  console.log(`Packaged ${stack}: ${names.length} functions, ${count} resources`);
  return bundles;
}

async function packageAll(isUpdate: boolean): Promise<void> {
  const manifest = await generate(root);
  printWarnings(manifest);
  rmSync(join(root, '.build', 'packages'), { recursive: true, force: true });
  const exported = new Set<string>();
  const bundles = new Map<string, string>();
  for (const stack of [...listStacks(manifest), wholeStack]) {
    const template = packageStack(stack);
    const isWhole = stack === wholeStack;
    if (!isWhole) for (const name of listExports(template)) exported.add(name);
    // The whole service needs no other stack.
    const found = await check(manifest, stack, template, isWhole ? new Set() : exported);
    for (const [name, bundle] of found) bundles.set(name, bundle);
  }
  const answered = answerEvents(manifest, bundles);
  console.log(`Every function loads, and ${answered} answer a recorded event.`);
  if (isUpdate) updateBudgets(root, bundles);
  else checkBudgets(root, bundles);
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
