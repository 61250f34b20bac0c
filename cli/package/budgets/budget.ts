import { type BundleOutputs, listReached } from '#functions/bundle/keep-chunks-apart.ts';

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
    const toBytes = (all: number): Bytes => ({ start: started.has(file) ? all : 0, all });
    budget.bytes = add(budget.bytes, toBytes(bytes));
    for (const [source, { bytesInOutput }] of Object.entries(inputs)) {
      const part = partOf(source);
      budget.parts[part] = add(budget.parts[part], toBytes(bytesInOutput));
    }
  }
  return budget;
}

const add = (one: Bytes = { start: 0, all: 0 }, other: Bytes): Bytes => ({
  start: one.start + other.start,
  all: one.all + other.all,
});

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
  for (const [name, part] of Object.entries(parts)) {
    if (part.all === 0) continue;
    const key = part.all < smallBytes ? rest : name;
    listed.set(key, add(listed.get(key), part));
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
