import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { codeFolder, readOutputs } from '#functions/bundle/keep-chunks-apart.ts';
import type { Manifest } from '#functions/model.ts';
import { serviceName } from '#functions/names.ts';
import { createFunctionMap } from '#functions/stacks/function-map.ts';
import { listStacks, selectStack, wholeStack } from '#functions/stacks/stack.ts';
import { runPackage, templateFile } from '../deploy/package.ts';
import { root } from '../project.ts';
import { type Budget, measureBundle } from './budgets/budget.ts';
import { checkDashboards } from './check-dashboard.ts';
import { checkResources } from './check-resources.ts';
import {
  checkArchive,
  checkRoutes,
  checkTemplate,
  kindOfStack,
  listExports,
  type Template,
} from './check-stack.ts';
import { checkVariants } from './check-variants.ts';

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
): number {
  const functions = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
  const faults = [
    ...checkTemplate(template, exported, kindOfStack(stack)),
    ...checkResources(template),
    ...checkRoutes(manifest, stack, template),
  ];
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
  return count;
}

function assertDashboards(templates: readonly Template[]): void {
  const faults = checkDashboards(templates);
  if (faults.length > 0) throw new Error(faults.join('; '));
}

/** Resources of all stacks together that still fit into one service of 500: each stack repeats some of its own. */
const mostTogether = 530;

/**
 * Packages stacks as a deployment would, and checks the results. What concerns a whole stage, its dashboard and its
 * templates as a preview and with `EDGE=1`, is checked if all of its stacks are packaged.
 *
 * @param stacks in the order of their deployment, `core` first
 * @throws Error naming a stack and its faults
 */
export function packageStacks(manifest: Manifest, stacks: readonly string[]): Packaged {
  rmSync(join(root, '.build', 'packages'), { recursive: true, force: true });
  const isStage = listStacks(manifest).every((stack) => stacks.includes(stack));
  // First, because the bundles of the last packaging are measured and answer events.
  if (isStage) console.log(`Checked the templates of ${checkVariants(stacks.slice(0, 2)).join(', ')}`);
  const exported = new Set<string>();
  const packaged: Packaged = { files: new Map(), budgets: new Map() };
  const templates: Template[] = [];
  let resources = 0;
  for (const stack of stacks) {
    if (stack === wholeStack && resources > mostTogether) {
      console.log(
        `Not packaged as one service: ${resources} resources do not fit. Deploy one stack a module.`,
      );
      continue;
    }
    runPackage(root, stack, stage, folderOf(stack));
    const template: Template = JSON.parse(readFileSync(join(root, folderOf(stack), templateFile), 'utf8'));
    const isWhole = stack === wholeStack;
    if (!isWhole) templates.push(template);
    if (!isWhole) for (const name of listExports(template)) exported.add(name);
    // The whole service needs no other stack.
    resources += check(manifest, stack, template, isWhole ? new Set() : exported, packaged);
    if (isWhole) assertDashboards([template]);
  }
  if (isStage) assertDashboards(templates);
  return packaged;
}
