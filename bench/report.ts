import { cpus } from 'node:os';
import type { Result } from './measure.ts';
import type { Ratio, Summary } from './statistics.ts';

/** What the numbers were measured on. */
export function describeMachine() {
  const [first, ...others] = cpus();
  return { node: process.version, cpu: first?.model.trim() ?? 'unknown', cores: others.length + 1 };
}

/** The results as people read them. */
export function renderResult(result: Result): string {
  const { functionName, label, sizeBytes, load, cold, warm, travel } = result;
  const yes = (is: boolean) => (is ? 'yes' : 'no');
  return [
    `${functionName} (${label}, cache hit)`,
    row('', 'empty', 'bare', 'ours', 'ours/bare (p10–p90 of rounds)'),
    row('bundle, KB', '', toKb(sizeBytes.bare), toKb(sizeBytes.ours), ''),
    row('AWS SDK loaded', '', yes(load.bare.isSdkLoaded), yes(load.ours.isSdkLoaded), ''),
    row('undici loaded', '', yes(load.bare.isUndiciLoaded), yes(load.ours.isUndiciLoaded), ''),
    times('cold: process to answer, ms', cold.processMs, 'median', toText(cold.ratios.process)),
    row('cold: the same over empty', '', '', cold.ratios.floor.ratio.toFixed(3), ''),
    times('cold: import to answer, ms', cold.firstAnswerMs, 'median', toText(cold.ratios.firstAnswer)),
    times('cold: import alone, ms', cold.importMs, 'median', ''),
    times('cold: CPU of the process, ms', cold.cpuMs, 'median', toText(cold.ratios.cpu)),
    times('warm: p50, ms', warm.durationMs, 'median', warm.ratios.p50.toFixed(3)),
    times('warm: p99, ms', warm.durationMs, 'p99', warm.ratios.p99.toFixed(3)),
    travelLine('hit', travel.hit),
    travelLine('miss', travel.miss),
    ...(isDisturbed(cold) ? ['  Other work disturbed the cold starts: repeat this on an idle machine.'] : []),
  ].join('\n');
}

/** True when the same process took very different times. */
const isDisturbed = ({ processMs }: Result['cold']): boolean => processMs.bare.p90 > 1.5 * processMs.bare.p10;

function row(title: string, empty: string, bare: string, ours: string, rest: string): string {
  return `  ${title.padEnd(30)}${empty.padStart(8)}${bare.padStart(9)}${ours.padStart(9)}   ${rest}`.trimEnd();
}

function times(
  title: string,
  { empty, bare, ours }: Record<'empty' | 'bare' | 'ours', Summary>,
  which: keyof Summary,
  rest: string,
): string {
  const digits = title.startsWith('warm') ? 3 : 1;
  const [first = '', second = '', third = ''] = [empty, bare, ours].map((of) => of[which].toFixed(digits));
  return row(title, first, second, third, rest);
}

function travelLine(title: string, { roundTrips, quotient, durationMs, requests }: Result['travel']['hit']) {
  const measured = `${durationMs.toFixed(0)} ms = ${quotient.toFixed(2)} × the delay`;
  const counts = `requests: cache ${requests.redis}, database ${requests.dynamodb}`;
  return `  ${`round trips on a ${title}`.padEnd(30)}${String(roundTrips).padStart(8)}   ${measured}; ${counts}`;
}

const toKb = (bytes: number): string => (bytes / 1024).toFixed(1);
const toText = ({ ratio, p10, p90 }: Ratio): string =>
  `${ratio.toFixed(3)} (${p10.toFixed(3)}–${p90.toFixed(3)})`;
