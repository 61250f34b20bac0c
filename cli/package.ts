import { assertApiFits, countFullestApi } from '#functions/checks/check-api.ts';
import { generate } from '#functions/generate.ts';
import { listApis, listPatterns, readEdge } from '#functions/stacks/edge.ts';
import { awsLimits, routesQuota } from '#functions/stacks/limits.ts';
import { listStacks, wholeStack } from '#functions/stacks/stack.ts';
import { createProgram, runProgram } from './command.ts';
import { answerEvents } from './package/answer-events.ts';
import { checkBudgets, updateBudgets } from './package/budgets/compare-budgets.ts';
import { packageStacks } from './package/package-stacks.ts';
import { root } from './project.ts';
import { printWarnings } from './terminal.ts';

async function packageAll(isUpdate: boolean): Promise<void> {
  const manifest = await generate(root);
  printWarnings(manifest);
  assertApiFits(manifest);
  const { files, budgets } = packageStacks(manifest, [...listStacks(manifest), wholeStack]);
  const answered = answerEvents(manifest, files);
  const isEdge = readEdge(process.env) !== undefined;
  const { integrations, routes } = countFullestApi(manifest, isEdge);
  const { integrations: most, routes: granted } = awsLimits;
  const raised =
    routes > granted
      ? `; AWS grants ${granted} until the quota ${routesQuota} ("Routes per API") is raised`
      : '';
  console.log(
    `${isEdge ? 'Fullest HTTP API' : 'HTTP API'}: ${integrations} of ${most} integrations, ${routes} routes${raised}`,
  );
  const behaviors = isEdge ? listApis(manifest).flatMap(listPatterns).length : 0;
  if (behaviors > awsLimits.behaviors)
    console.log(
      `CloudFront: ${behaviors} behaviours; AWS grants ${awsLimits.behaviors} until its quota is raised`,
    );
  console.log(`Every function loads, and ${answered} answer a recorded event.`);
  if (isUpdate) updateBudgets(root, budgets);
  else checkBudgets(root, budgets);
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
