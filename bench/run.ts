import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { generate } from '#functions/generate.ts';
import { measureCost, measureFlows } from './accounting/measure-usage.ts';
import { labels } from './asked.ts';
import { listBroken } from './bounds.ts';
import { renderCost } from './cost/render-cost.ts';
import { measureGrowth } from './growth/measure-growth.ts';
import { listUnbounded } from './growth/report.ts';
import { measure } from './measure.ts';
import { describeRun } from './report/describe-run.ts';
import { type Report, renderReport } from './report/render-report.ts';
import { writeSection } from './report/write-section.ts';
import { listMissed, renderScale } from './scale/render-scale.ts';
import { startStack } from './stack.ts';

// `npm run bench`: measures functions beside other frameworks, what they read of small and large tables, and
// rich text; ends with 1 when they break a promise.
//   --rounds N        fresh processes of each handler, 40 by default; 0 leaves times and round trips out
//   --only A,B       of `public`, `admin`, `list`, `upload` and `mcp` these; all by default
//   --invocations N   warm invocations of each handler, 4000 by default
//   --growth N        users and files of the larger table, 100000 by default; 0 leaves the reads out
//   --cost            only what requests cost, by route; --write writes docs/cost.md
//   --scale           only the simulation of many requests a second; --write writes docs/scale.md
//   --redis URL       keeps the cache in a Redis, whose keys `service:*` are deleted; in memory by default
//   --json            the results as one JSON document
//   --write           writes bench/RESULTS.md and docs/cost.md too

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

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: labels.join() },
    rounds: { type: 'string', default: '40' },
    invocations: { type: 'string', default: '4000' },
    growth: { type: 'string', default: '100000' },
    redis: { type: 'string' },
    cost: { type: 'boolean', default: false },
    scale: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const [rounds = -1, invocations = -1, growth = -1] = [values.rounds, values.invocations, values.growth].map(
  Number,
);
if (
  ![rounds, invocations, growth].every((count) => Number.isInteger(count) && count >= 0) ||
  invocations === 0
) {
  console.error('--rounds and --growth take whole numbers from 0, --invocations from 1');
  process.exit(2);
}
const only = values.only.split(',');
if (!only.every((name) => labels.some((label) => label === name))) {
  console.error(`--only takes ${labels.join(', ')}`);
  process.exit(2);
}
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

async function runAll(): Promise<void> {
  const report = await run({ only, rounds, invocations, growth }, values.redis);
  const text = renderReport(report);
  console.log(values.json ? JSON.stringify(report, null, 2) : text);
  if (values.write) {
    writeFileSync(join(root, 'bench', 'RESULTS.md'), text);
    if (only.length === labels.length) writeCost(report.costs);
  }
  if (report.broken.length > 0) process.exitCode = 1;
  // It prints by itself, and ends with 1 where rich text takes more than its share.
  if (!values.json && rounds > 0) await import('./media.ts');
}

if (values.cost) await runCost();
if (values.scale) await runScale();
if (!values.cost && !values.scale) await runAll();
