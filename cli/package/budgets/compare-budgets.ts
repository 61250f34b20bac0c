import { type Budget, type Bytes, formatBudget, parseBudget } from './budget.ts';
import { readBudgetFile, writeBudgetFile } from './budget-file.ts';

type Budgets = ReadonlyMap<string, Budget>;

export const readBudgets = (root: string): Budgets =>
  new Map(Object.entries(readBudgetFile(root).bundles).map(([name, line]) => [name, parseBudget(line)]));

/** Compares the packaged bundles with `bench/budgets.json`. @throws Error naming heavier functions and their parts */
export function checkBudgets(root: string, measured: Budgets): void {
  const { faults, notes } = compareBudgets(readBudgets(root), measured);
  for (const note of notes) console.log(note);
  if (notes.length > 0) console.log(`Record it: ${updateCommand}`);
  const all = [...listMisplaced(measured), ...faults];
  if (all.length > 0) throw new Error(`budgets:\n${all.join('\n')}\nIf this is intended: ${updateCommand}`);
  console.log(`${measured.size} bundles keep their budgets.`);
}

/** Records the measured bundles. @throws Error naming each function that holds an SDK of tools without need */
export function updateBudgets(root: string, measured: Budgets): void {
  const misplaced = listMisplaced(measured);
  if (misplaced.length > 0) throw new Error(`budgets:\n${misplaced.join('\n')}`);
  const lines = [...measured].map(([name, budget]) => [name, formatBudget(budget)]);
  writeBudgetFile(root, { ...readBudgetFile(root), bundles: Object.fromEntries(lines) });
  console.log(`${measured.size} bundles are recorded in bench/budgets.json.`);
}

/**
 * Records bundles that are new, and those that hold parts of all modules and grew. Drops those of other names. What else
 * grew is left to the check, so that a growth is never recorded unseen.
 *
 * @param names of all functions
 * @param isShared whether a function holds parts of all modules, so that another module makes it grow
 */
export function renewBudgets(
  root: string,
  measured: Budgets,
  { names, isShared }: { names: readonly string[]; isShared(name: string): boolean },
): void {
  const { budgets, grown, refused } = mergeBudgets(readBudgets(root), measured, isShared);
  for (const fault of grown) console.log(`Grown, and recorded: ${fault}`);
  for (const fault of refused) console.log(`Grown, and not recorded: ${fault}`);
  if (grown.length > 0) console.log('If no module of yours explains it, restore bench/budgets.json.');
  if (refused.length > 0) console.log(`If this is intended: ${updateCommand}`);
  updateBudgets(root, new Map([...budgets].filter(([name]) => names.includes(name))));
}

/** @returns the new records; `grown` and `refused`: what weighs more than before, recorded and not */
export function mergeBudgets(recorded: Budgets, measured: Budgets, isShared: (name: string) => boolean) {
  const budgets = new Map(recorded);
  const grown: string[] = [];
  const refused: string[] = [];
  for (const [name, budget] of measured) {
    const before = recorded.get(name);
    const { faults } = compareBudgets(new Map(before && [[name, before]]), new Map([[name, budget]]));
    if (faults.length === 0) continue;
    if (!before || isShared(name)) budgets.set(name, budget);
    if (before) (isShared(name) ? grown : refused).push(...faults);
  }
  return { budgets, grown, refused };
}

/** Allowed change of a bundle's size, as a part of the recorded size. */
const tolerance = 0.05;

const updateCommand = 'npm run package -- --update-budgets';

const titles: Record<keyof Bytes, string> = { start: 'at start', all: 'in all' };

/** @returns `faults`: heavier and unrecorded functions; `notes`: lighter and removed functions */
export function compareBudgets(recorded: Budgets, measured: Budgets) {
  const faults: string[] = [];
  const notes: string[] = [];
  for (const [name, after] of measured) {
    const before = recorded.get(name);
    if (!before) {
      faults.push(
        `${name}: ${after.bytes.start} bytes at start, ${after.bytes.all} in all, not recorded: npm run records`,
      );
      continue;
    }
    for (const when of ['start', 'all'] as const) {
      const [was, is] = [before.bytes[when], after.bytes[when]];
      if (is < was * (1 - tolerance)) notes.push(`${name}: ${is} bytes ${titles[when]}, ${was} before`);
      if (is <= was * (1 + tolerance)) continue;
      const percent = ((is / was - 1) * 100).toFixed(1);
      const rise = findRise(before, after, when);
      const cause = rise ? `, most by ${rise.part}: +${rise.by}` : '';
      faults.push(`${name}: ${is} bytes ${titles[when]}, ${was} recorded (+${percent} %)${cause}`);
    }
  }
  for (const name of recorded.keys()) if (!measured.has(name)) notes.push(`${name}: was removed`);
  return { faults, notes };
}

/** The part that grew most, and by how many bytes. Undefined if no part grew. */
export function findRise(before: Budget, after: Budget, when: keyof Bytes) {
  // Small parts are recorded together, so they are not compared.
  const known = parseBudget(formatBudget(after)).parts;
  return Object.entries(known)
    .map(([part, bytes]) => ({ part, by: bytes[when] - (before.parts[part]?.[when] ?? 0) }))
    .filter(({ by }) => by > 0)
    .sort((a, b) => b.by - a.by)[0];
}

/** Packages that are too heavy for functions that do not need them. */
const toolPackages = /^(?:@modelcontextprotocol\/|openai$)/;
/** The functions that use tools: `mcp/service`, and those below `ai/mcp`. */
const toolFunctions = /^system-(?:web|admin-ai)-mcp-/;

/** Functions that hold an SDK of tools but do not use tools. */
export function listMisplaced(measured: Budgets): string[] {
  return [...measured].flatMap(([name, { parts }]) => {
    const found = Object.keys(parts).find((part) => toolPackages.test(part));
    return found && !toolFunctions.test(name) ? [`${name}: holds ${found}, which is for tools only`] : [];
  });
}
