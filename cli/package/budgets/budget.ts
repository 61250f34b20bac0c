import { type BundleOutputs, listReached } from '#functions/keep-chunks-apart.ts';

/** Bytes that load at the start of a function, and all bytes. */
export interface Bytes {
  start: number;
  all: number;
}

/** The size of a bundle, and the share of each package or folder. */
export interface Budget {
  bytes: Bytes;
  parts: Record<string, Bytes>;
}

/** Smaller parts are recorded together. */
const smallBytes = 1000;
const rest = 'rest';

export function measureBundle(report: BundleOutputs): Budget {
  const started = new Set(listReached(report, true));
  const budget: Budget = { bytes: { start: 0, all: 0 }, parts: {} };
  for (const file of listReached(report)) {
    const { bytes = 0, inputs = {} } = report.outputs[file] ?? {};
    const add = (to: Bytes, count: number) => {
      to.all += count;
      if (started.has(file)) to.start += count;
    };
    add(budget.bytes, bytes);
    for (const [source, { bytesInOutput }] of Object.entries(inputs)) {
      const part = partOf(source);
      budget.parts[part] ??= { start: 0, all: 0 };
      add(budget.parts[part], bytesInOutput);
    }
  }
  return budget;
}

/** Folders that are counted by their subfolders. */
const roots = /^(?:shared|modules|functions|cli|\.build)\/[^/]+/;

/**
 * The part of a bundle that a source belongs to: a package, a folder of this project (`shared/http`), or `node` for
 * substitutes of Node's own modules.
 */
export function partOf(source: string): string {
  if (source.startsWith('builtin')) return 'node';
  const packages = [...source.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)];
  return packages.at(-1)?.[1] ?? roots.exec(source)?.[0] ?? source;
}

/** `start/all` in bytes, then the parts, largest first: `61234/402310 @smithy/core 0/101234 zod 20011/20011`. */
export function formatBudget({ bytes, parts }: Budget): string {
  const listed = new Map<string, Bytes>();
  for (const [name, { start, all }] of Object.entries(parts)) {
    if (all === 0) continue;
    const key = all < smallBytes ? rest : name;
    const before = listed.get(key) ?? { start: 0, all: 0 };
    listed.set(key, { start: before.start + start, all: before.all + all });
  }
  const sorted = [...listed].sort(([a, x], [b, y]) => y.all - x.all || a.localeCompare(b));
  return [toText(bytes), ...sorted.map(([name, part]) => `${name} ${toText(part)}`)].join(' ');
}

const toText = ({ start, all }: Bytes): string => `${start}/${all}`;

/** Reads what {@link formatBudget} wrote. */
export function parseBudget(line: string): Budget {
  const [bytes = '', ...words] = line.split(' ');
  const parts: Budget['parts'] = {};
  for (let at = 0; at + 1 < words.length; at += 2) parts[words[at] ?? ''] = toBytes(words[at + 1] ?? '');
  return { bytes: toBytes(bytes), parts };
}

function toBytes(text: string): Bytes {
  const [start = Number.NaN, all = Number.NaN] = text.split('/').map(Number);
  return { start, all };
}
