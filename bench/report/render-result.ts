import { type ByHandler, handlerNames } from '../handlers.ts';
import type { Result } from '../measure.ts';
import type { Travel } from '../measure-round-trips.ts';
import type { Series } from '../statistics.ts';
import { renderTable } from './table.ts';

const titles: Record<Result['label'], string> = {
  public: 'Public dictionary read: the cache',
  admin: "Administrators' dictionary read: login and dictionary from the cache",
  list: "Administrators' list of files: login from the cache, one query",
  upload: 'Upload of a picture: login from the cache, form, local disk, a record in the database',
  mcp: 'MCP `tools/call`: login and settings from the cache',
};

/** One function and its peers, in Markdown; ratios with their spread over the turns. */
export function renderResult(result: Result): string {
  const { label, functionName, size, load, cold, warm, travel } = result;
  const table = renderTable([
    ['', ...handlerNames],
    row('cold start, of bare', cold.processMs, toRatio),
    row('cold start, ms', cold.processMs, toValue(1)),
    row('import and first answer, of bare', cold.firstAnswerMs, toRatio),
    row('CPU of a cold start, of bare', cold.cpuMs, toRatio),
    row('memory at the first answer, of empty', cold.residentMb, toRatio),
    row('memory at the first answer, MiB', cold.residentMb, toValue(1)),
    row('warm p50, of bare', warm.p50, toRatio),
    row('warm p50, ms', warm.p50, toValue(3)),
    row('warm p99, of bare', warm.p99, toRatio),
    row('warm p99, ms', warm.p99, toValue(3)),
    row('round trips, one after another', travel.hit, ({ roundTrips }) => String(roundTrips)),
    row('requests to cache + database', travel.hit, toRequests),
    row('bundle at start, KB', size, ({ start }) => toKb(start)),
    row('bundle in all, KB', size, ({ all }) => toKb(all)),
    row('loads the AWS SDK, undici', load, ({ isSdkLoaded, isUndiciLoaded }) =>
      [isSdkLoaded, isUndiciLoaded].map((is) => (is ? 'yes' : 'no')).join(', '),
    ),
  ]);
  return [
    `### ${titles[label]}`,
    `\`${functionName}\``,
    table,
    `With nothing cached: ${describeTravel(travel.miss)}.`,
    ...(isDisturbed(cold) ? ['Other work disturbed the cold starts: repeat this on an idle machine.'] : []),
  ].join('\n\n');
}

const row = <Value>(title: string, values: ByHandler<Value>, render: (value: Value) => string): string[] => [
  title,
  ...handlerNames.map((name) => render(values[name])),
];

/** Omits the spread if a handler is compared with itself. */
const toRatio = ({ ratio, p10, p90 }: Series): string =>
  p10 === 1 && p90 === 1 ? '1' : `${ratio.toFixed(2)} (${p10.toFixed(2)}–${p90.toFixed(2)})`;
const toValue =
  (digits: number) =>
  ({ value }: Series): string =>
    value.toFixed(digits);
const toKb = (bytes: number): string => (bytes / 1024).toFixed(1);
const toRequests = ({ requests }: Travel): string => `${requests.redis} + ${requests.dynamodb}`;

const describeTravel = (travel: Travel): string =>
  `${travel.roundTrips} round trips one after another (${travel.durationMs.toFixed(0)} ms, ` +
  `${travel.quotient.toFixed(2)} of the delay), requests to cache + database ${toRequests(travel)}`;

/** Whether the same process took very different times. */
const isDisturbed = ({ processMs }: Result['cold']): boolean =>
  processMs.empty.p90 > 1.5 * processMs.empty.p10;
