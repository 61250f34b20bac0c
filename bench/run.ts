import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { createProgram } from '../cli/command.ts';
import { generate } from '../functions/generate.ts';
import { wholeNumber } from '../test/support/numbers.ts';
import { measureCost, measureFlows } from './accounting/measure-usage.ts';
import { labels } from './asked.ts';
import { listBroken } from './bounds.ts';
import { listMissedByConsole, measureConsole, renderConsole } from './console.ts';
import { renderCost } from './cost/render-cost.ts';
import { measureEngines, renderEngines } from './engines.ts';
import { measureGrowth } from './growth/measure-growth.ts';
import { listUnbounded } from './growth/report.ts';
import { installPackages } from './install.ts';
import { measure } from './measure.ts';
import { describeRun } from './report/describe-run.ts';
import { type Report, renderReport } from './report/render-report.ts';
import { writeSection } from './report/write-section.ts';
import { listMissed, renderScale } from './scale/render-scale.ts';
import { measureShapes } from './shapes/measure-shapes.ts';
import { renderShapes } from './shapes/render-shapes.ts';
import { startStack } from './stack.ts';

const root = resolve(import.meta.dirname, '..');

interface Counts {
  only: string[];
  rounds: number;
  invocations: number;
  growth: number;
}

async function run({ only, rounds, invocations, growth: many }: Counts, redisUrl?: string): Promise<Report> {
  const manifest = await generate(root);
  const stack = await startStack(manifest, redisUrl);
  try {
    const results = rounds > 0 ? await measure(root, stack, { only, rounds, invocations }) : [];
    // Last: it fills the table.
    const growth = many > 0 ? await measureGrowth(root, stack, many) : [];
    const measured = only.length === labels.length ? undefined : results.map((result) => result.functionName);
    const costs = measured?.length === 0 ? [] : await measureCost(root, measured);
    const broken = [...results.flatMap(listBroken), ...listUnbounded(growth)];
    return { run: describeRun(root, process.argv.slice(2), redisUrl), results, growth, costs, broken };
  } finally {
    await stack.stop();
  }
}

function readLabels(text: string): string[] {
  const only = text.split(',');
  if (only.every((name) => labels.some((label) => label === name))) return only;
  throw new InvalidArgumentError(`It takes ${labels.join(', ')}.`);
}

const summary =
  'Measures functions beside other frameworks, how reads grow with the table, and rich text. ' +
  'Ends with 1 if a bound is broken.';
const values = createProgram('npm run bench', summary)
  .option(
    '--rounds <N>',
    'fresh processes of each handler; 0 leaves times and round trips out',
    wholeNumber(0),
    40,
  )
  .option('--only <LIST>', 'which handlers', readLabels, [...labels])
  .option('--invocations <N>', 'warm invocations of each handler', wholeNumber(1), 4000)
  .option(
    '--growth <N>',
    'users and files of the larger table; 0 leaves the reads out',
    wholeNumber(0),
    100_000,
  )
  .option('--cost', 'only what requests cost, by route; --write writes docs/cost.md')
  .option('--scale', 'only the simulation of many requests a second; --write writes docs/scale.md')
  .option('--console', 'only the first load and page changes of the console; --write writes docs/bench.md')
  .option('--engines', 'only the calls of the storage engines; --write writes docs/bench.md')
  .option('--shapes', 'only cold starts of a function of a route, a folder and a module')
  .option(
    '--redis <URL>',
    'keep the cache in a Redis, whose keys service:* are deleted; in memory without it',
  )
  .option('--json', 'print the results as one JSON document')
  .option('--write', 'write bench/RESULTS.md and docs/cost.md too')
  .parse()
  .opts();
const writeCost = (bills: Parameters<typeof renderCost>[0]) =>
  writeSection(join(root, 'docs', 'cost.md'), 'cost', renderCost(bills));

async function runCost(): Promise<void> {
  const bills = await measureCost(root);
  console.log(values.json ? JSON.stringify(bills, null, 2) : renderCost(bills));
  if (values.write) writeCost(bills);
}

async function runScale(): Promise<void> {
  const flows = await measureFlows(root);
  console.log(values.json ? JSON.stringify(flows, null, 2) : renderScale(flows));
  if (values.write) writeSection(join(root, 'docs', 'scale.md'), 'scale', renderScale(flows));
  const missed = listMissed(flows);
  if (missed.length > 0) {
    console.error(missed.join('\n'));
    process.exitCode = 1;
  }
}

async function runShapes(): Promise<void> {
  const manifest = await generate(root);
  const stack = await startStack(manifest);
  try {
    const figures = await measureShapes(root, manifest, stack, values.rounds);
    console.log(values.json ? JSON.stringify(figures, null, 2) : renderShapes(figures));
  } finally {
    await stack.stop();
  }
}

async function runConsole(): Promise<void> {
  await generate(root);
  const figures = await measureConsole();
  const text = renderConsole(figures);
  console.log(values.json ? JSON.stringify(figures, null, 2) : text);
  if (values.write) writeSection(join(root, 'docs', 'bench.md'), 'console', text);
  const missed = listMissedByConsole(figures);
  if (missed.length > 0) {
    console.error(missed.join('\n'));
    process.exitCode = 1;
  }
}

async function runEngines(): Promise<void> {
  const figures = await measureEngines(values.rounds);
  const text = renderEngines(figures);
  console.log(values.json ? JSON.stringify(figures, null, 2) : text);
  if (values.write) writeSection(join(root, 'docs', 'bench.md'), 'engines', text);
}

async function runAll(): Promise<void> {
  const { only, rounds } = values;
  if (rounds > 0) installPackages();
  const report = await run(values, values.redis);
  const text = renderReport(report);
  console.log(values.json ? JSON.stringify(report, null, 2) : text);
  if (values.write) {
    writeFileSync(join(root, 'bench', 'RESULTS.md'), text);
    if (only.length === labels.length) writeCost(report.costs);
  }
  if (report.broken.length > 0) process.exitCode = 1;
  // It prints its own result, and exits with 1 if rich text takes too long.
  if (!values.json && rounds > 0) await import('./media.ts');
}

if (values.cost) await runCost();
if (values.scale) await runScale();
if (values.console) await runConsole();
if (values.shapes) await runShapes();
if (values.engines) await runEngines();
const parts = ['cost', 'scale', 'console', 'shapes', 'engines'] as const;
if (!parts.some((each) => values[each])) await runAll();
