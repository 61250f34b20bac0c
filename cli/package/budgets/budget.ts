/** Bytes of a bundle: of what loads at the start of its function, and of all. */
export interface Bytes {
  start: number;
  all: number;
}

/** What a bundle weighs, and what of it each package or folder does. */
export interface Budget {
  bytes: Bytes;
  parts: Record<string, Bytes>;
}

/** Parts that are less, in all, are recorded together. */
const smallBytes = 1000;
const rest = 'rest';

/**
 * One line: `start/all` in bytes, then the parts, the heaviest first.
 *
 * @example `61234/402310 @smithy/core 0/101234 zod 20011/20011`
 */
export function formatBudget({ bytes, parts }: Budget): string {
  const small: Bytes = { start: 0, all: 0 };
  const listed = Object.entries(parts).filter(([, { start, all }]) => {
    if (all >= smallBytes) return true;
    small.start += start;
    small.all += all;
    return false;
  });
  if (small.all > 0) listed.push([rest, small]);
  listed.sort(([a, x], [b, y]) => y.all - x.all || a.localeCompare(b));
  return [toText(bytes), ...listed.map(([name, part]) => `${name} ${toText(part)}`)].join(' ');
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

/** A part that became heavier, by so many bytes. */
export interface Rise {
  part: string;
  by: number;
}

/** The part that grew most; undefined where none did. */
export function findRise(before: Budget, after: Budget, when: keyof Bytes): Rise | undefined {
  // What was small then may be recorded in the rest now, and is no rise.
  const known = parseBudget(formatBudget(after)).parts;
  return Object.entries(known)
    .map(([part, bytes]) => ({ part, by: bytes[when] - (before.parts[part]?.[when] ?? 0) }))
    .filter(({ by }) => by > 0)
    .sort((a, b) => b.by - a.by)[0];
}
