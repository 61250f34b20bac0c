import { type Budget, type Bytes, formatBudget, parseBudget } from './budget.ts';
import { type Budgets, readBudgets, writeBudgets } from './budget-file.ts';

/**
 * Compares the packaged bundles with `bench/budgets.json`, and prints which have become lighter.
 *
 * @throws Error naming each function that has become heavier, and by what
 */
export function checkBudgets(root: string, measured: Budgets): void {
  const { faults, notes } = compareBudgets(readBudgets(root), measured);
  for (const note of notes) console.log(note);
  if (notes.length > 0) console.log(`Record it: ${updateCommand}`);
  const all = [...listMisplaced(measured), ...faults];
  if (all.length > 0) throw new Error(`budgets:\n${all.join('\n')}\nWhere that is meant: ${updateCommand}`);
  console.log(`${measured.size} bundles keep their budgets.`);
}

/** Records what the bundles weigh now. @throws Error naming each function that holds what it never may */
export function updateBudgets(root: string, measured: Budgets): void {
  const misplaced = listMisplaced(measured);
  if (misplaced.length > 0) throw new Error(`budgets:\n${misplaced.join('\n')}`);
  writeBudgets(root, measured);
  console.log(`${measured.size} bundles are recorded in bench/budgets.json.`);
}

/** How the bundles have changed. */
export interface Comparison {
  /** Rises, and functions that were never recorded. */
  faults: string[];
  /** Falls, and functions that are no more. */
  notes: string[];
}

/** How much more a bundle may weigh than it was recorded with. */
const tolerance = 0.05;

const updateCommand = 'npm run package -- --update-budgets';

const titles: Record<keyof Bytes, string> = { start: 'at start', all: 'in all' };

/** Compares measured bundles with recorded ones. */
export function compareBudgets(recorded: Budgets, measured: Budgets): Comparison {
  const faults: string[] = [];
  const notes: string[] = [];
  for (const [name, after] of measured) {
    const before = recorded.get(name);
    if (!before) {
      faults.push(`${name}: ${after.bytes.start} bytes at start, ${after.bytes.all} in all, not recorded`);
      continue;
    }
    for (const when of ['start', 'all'] as const) {
      const [was, is] = [before.bytes[when], after.bytes[when]];
      if (is > was * (1 + tolerance)) faults.push(describeRise(name, before, after, when));
      else if (is < was * (1 - tolerance)) notes.push(`${name}: ${is} bytes ${titles[when]}, ${was} before`);
    }
  }
  for (const name of recorded.keys()) if (!measured.has(name)) notes.push(`${name}: is no more`);
  return { faults, notes };
}

function describeRise(name: string, before: Budget, after: Budget, when: keyof Bytes): string {
  const [was, is] = [before.bytes[when], after.bytes[when]];
  const percent = ((is / was - 1) * 100).toFixed(1);
  const rise = findRise(before, after, when);
  const cause = rise ? `, most by ${rise.part}: +${rise.by}` : '';
  return `${name}: ${is} bytes ${titles[when]}, ${was} recorded (+${percent} %)${cause}`;
}

/** A part that became heavier, by so many bytes. */
export interface Rise {
  part: string;
  by: number;
}

/** The part that grew most; undefined if none did. */
export function findRise(before: Budget, after: Budget, when: keyof Bytes): Rise | undefined {
  // A part that is small now is in the rest, and does not count.
  const known = parseBudget(formatBudget(after)).parts;
  return Object.entries(known)
    .map(([part, bytes]) => ({ part, by: bytes[when] - (before.parts[part]?.[when] ?? 0) }))
    .filter(({ by }) => by > 0)
    .sort((a, b) => b.by - a.by)[0];
}

/** Packages that are too heavy for functions that do not need them. */
const toolPackages = /^(?:@modelcontextprotocol\/|openai$)/;
/** The functions that tools are used by: `mcp/service`, and `tools`, `call`, `rpc` and `chat` below `ai/mcp`. */
const toolFunctions = /^system-(?:web|admin-ai)-mcp-/;

/** The functions that hold an SDK of tools and do not use tools. */
export function listMisplaced(measured: Budgets): string[] {
  return [...measured].flatMap(([name, { parts }]) => {
    const found = Object.keys(parts).find((part) => toolPackages.test(part));
    return found && !toolFunctions.test(name) ? [`${name}: holds ${found}, which is for tools only`] : [];
  });
}
