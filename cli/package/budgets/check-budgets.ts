import { basename, dirname } from 'node:path';
import { readBudgets, writeBudgets } from './budget-file.ts';
import { compareBudgets, listMisplaced, updateCommand } from './compare-budgets.ts';
import { measureBundle } from './measure-bundle.ts';

/**
 * Holds the bundles that were packaged against `bench/budgets.json`, and tells what has become less.
 *
 * @param bundles path of the entry's bundle, by the name of the function
 * @throws Error naming each function that has become heavier, and by what
 */
export function checkBudgets(root: string, bundles: ReadonlyMap<string, string>): void {
  const measured = measureBundles(bundles);
  const misplaced = listMisplaced(measured);
  const { faults, notes } = compareBudgets(readBudgets(root), measured);
  for (const note of notes) console.log(note);
  if (notes.length > 0) console.log(`Record it: ${updateCommand}`);
  const all = [...misplaced, ...faults];
  if (all.length > 0) throw new Error(`budgets:\n${all.join('\n')}\nWhere that is meant: ${updateCommand}`);
  console.log(`${measured.size} bundles keep their budgets.`);
}

/** Records what the bundles weigh now. @throws Error naming each function that holds what it never may */
export function updateBudgets(root: string, bundles: ReadonlyMap<string, string>): void {
  const measured = measureBundles(bundles);
  const misplaced = listMisplaced(measured);
  if (misplaced.length > 0) throw new Error(`budgets:\n${misplaced.join('\n')}`);
  writeBudgets(root, measured);
  console.log(`${measured.size} bundles are recorded in bench/budgets.json.`);
}

const measureBundles = (bundles: ReadonlyMap<string, string>) =>
  new Map([...bundles].map(([name, file]) => [name, measureBundle(dirname(file), basename(file))]));
