import type { ScenarioBill } from '../cost/bill.ts';
import { renderBills } from '../cost/render-cost.ts';
import type { Growth } from '../growth/measure-growth.ts';
import { renderGrowth } from '../growth/report.ts';
import type { Result } from '../measure.ts';
import type { RunDescription } from './describe-run.ts';
import { renderResult } from './render-result.ts';
import { renderSummary } from './render-summary.ts';

/** All results of a run. */
export interface Report {
  run: RunDescription;
  results: Result[];
  growth: Growth[];
  costs: ScenarioBill[];
  /** The bounds that do not hold, each in one line. */
  broken: string[];
}

const costNote =
  'What one request consumes, and a million of them in US dollars: [docs/cost.md](../docs/cost.md).';

const summaryNote =
  'In parentheses: of the bare handler, which does the same job with the same SDKs and no framework. A cold start is ' +
  'from the start of the process to the first answer; memory is what is resident then.';

/** A run as Markdown. */
export function renderReport({ run, results, growth, costs, broken }: Report): string {
  const { date, command, node, cpu, cores, memoryGb, cache, packages } = run;
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  return [
    '# Results',
    ...(results.length > 0 ? [renderSummary(results), summaryNote] : []),
    `Written by \`${command}\` on ${date}. How it is measured: [docs/bench.md](../docs/bench.md).`,
    `${cores} × ${cpu}, ${memoryGb} GB, Node ${node.slice(1)}, the cache in ${cache}; ${versions.join(', ')}.`,
    '## Bounds',
    broken.length === 0 ? 'Every bound holds.' : `Broken:\n\n${broken.map((line) => `- ${line}`).join('\n')}`,
    ...(results.length > 0
      ? ['## Beside a bare handler and the frameworks', ...results.map(renderResult)]
      : []),
    ...(growth.length > 0 ? ['## Reads by size of the table', renderGrowth(growth)] : []),
    ...(costs.length > 0 ? ['## Cost', costNote, renderBills(costs)] : []),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}
