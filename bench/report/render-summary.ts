import type { HandlerName } from '../handlers.ts';
import type { Result } from '../measure.ts';
import type { Series } from '../statistics.ts';
import { renderTable } from './table.ts';

const jobs: Record<Result['label'], string> = {
  public: 'Public dictionary',
  admin: "Administrators' dictionary",
  list: 'List of files',
  upload: 'Upload of a picture',
  mcp: 'MCP `tools/call`',
};

const frameworks = ['hono', 'fastify', 'nest'] as const satisfies HandlerName[];

/** The main numbers: ours, the bare handler's, and those of the best framework. */
export function renderSummary(results: readonly Result[]): string {
  return renderTable([
    ['', 'ours', 'bare', 'best framework'],
    ...results.flatMap(({ label, cold, warm }) => [
      compare(`${jobs[label]}: cold start, ms`, cold.processMs, 0),
      compare('warm p50, ms', warm.p50, 2),
      compare('memory, MiB', cold.residentMb, 0),
    ]),
  ]);
}

/** Ours and the best framework with their ratio to the bare handler. */
function compare(title: string, values: Record<HandlerName, Series>, digits: number): string[] {
  const { ours, bare } = values;
  const best = frameworks.reduce((a, b) => (values[b].value < values[a].value ? b : a));
  const beside = ({ value }: Series) => `${value.toFixed(digits)} (${(value / bare.value).toFixed(2)})`;
  return [title, beside(ours), bare.value.toFixed(digits), `${best} ${beside(values[best])}`];
}
