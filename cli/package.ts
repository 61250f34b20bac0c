import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from '#functions/generate.ts';
import type { Manifest } from '#functions/model.ts';
import { listMethods } from '#functions/model.ts';
import { fallbackName } from '#functions/names.ts';
import { coreStack, listStacks, selectStack } from '#functions/stacks/stack.ts';
import { answerEvents } from './package/answer-events.ts';
import { checkBudgets, updateBudgets } from './package/budgets/check-budgets.ts';
import { checkTemplate, listExports, type Template } from './package/template.ts';
import { printWarnings } from './print-warnings.ts';
import { root } from './project.ts';

// `npm run package`: packages every stack as a deployment would, and checks what came out.
//   --update-budgets   records what the bundles weigh in bench/budgets.json, instead of holding them to it

const stage = 'dev';
const folderOf = (stack: string) => join('.build', 'packages', stack);

function packageStack(stack: string): Template {
  const args = ['package', '--stage', stage, '--package', folderOf(stack)];
  const env = { ...process.env, MODULE: stack };
  const { status, stdout, stderr } = spawnSync('serverless', args, { cwd: root, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stack} cannot be packaged:\n${stdout}${stderr}`);
  const file = join(root, folderOf(stack), 'cloudformation-template-update-stack.json');
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The route keys that a stack has to have. */
function listRouteKeys(manifest: Manifest, stack: string): string[] {
  const { routes } = selectStack(manifest, stack);
  const keys = routes.flatMap((found) => listMethods(found).map((method) => `${method} ${found.path}`));
  return stack === coreStack ? ['$default', ...keys] : keys;
}

function check(manifest: Manifest, stack: string, template: Template, exported: ReadonlySet<string>): string {
  const resources = Object.values(template.Resources);
  const faults = checkTemplate(template, exported);
  const found = resources.flatMap(({ Type, Properties }) =>
    Type === 'AWS::ApiGatewayV2::Route' ? [String(Properties?.RouteKey)] : [],
  );
  const expected = listRouteKeys(manifest, stack);
  for (const key of expected) if (!found.includes(key)) faults.push(`the route ${key} is missing`);
  for (const key of found) if (!expected.includes(key)) faults.push(`the route ${key} is too much`);
  if (faults.length > 0) throw new Error(`${stack}: ${faults.join('; ')}`);
  const functions = resources.filter(({ Type }) => Type === 'AWS::Lambda::Function');
  return `${functions.length} functions, ${resources.length} resources`;
}

async function packageAll(isUpdate: boolean): Promise<void> {
  const manifest = await generate(root);
  printWarnings(manifest);
  rmSync(join(root, '.build', 'packages'), { recursive: true, force: true });
  const exported = new Set<string>();
  for (const stack of listStacks(manifest)) {
    const template = packageStack(stack);
    for (const name of listExports(template)) exported.add(name);
    console.log(`Packaged ${stack}: ${check(manifest, stack, template, exported)}`);
  }
  const answered = answerEvents(manifest);
  console.log(`Every function loads, and ${answered} answer a recorded event.`);
  const functions = [...manifest.routes, ...manifest.jobs, ...manifest.listeners];
  const names = [fallbackName, ...functions.map(({ functionName }) => functionName)];
  if (isUpdate) updateBudgets(root, names);
  else checkBudgets(root, names);
}

const { values } = parseArgs({ options: { 'update-budgets': { type: 'boolean', default: false } } });
await packageAll(values['update-budgets']);
