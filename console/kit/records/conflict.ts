import type { Field } from '#functions/console/description.ts';
import { type FormModel, isSame } from '../../fields/form-model.ts';

/** A field whose value in the form is not the stored one. */
export interface Difference {
  field: Field;
  mine: unknown;
  stored: unknown;
  /** Which value is proposed: mine if I changed it, else the stored one. */
  choice: 'mine' | 'stored';
}

/**
 * The fields whose value in the form differs from the stored one. Of a list, mine is the stored list with what I added
 * and without what I took away, so that neither of us undoes the other's change.
 *
 * @param before what the form began with
 * @param mine what it holds now
 * @param stored what is stored now
 */
export function compareModels(
  fields: readonly Field[],
  before: FormModel,
  mine: FormModel,
  stored: FormModel,
): Difference[] {
  return fields.flatMap((field) => {
    const { name } = field;
    const isMine = !isSame(mine[name], before[name]);
    const own = isMine ? mergeLists(before[name], mine[name], stored[name]) : mine[name];
    if (isSame(own, stored[name])) return [];
    return [
      { field, mine: own, stored: stored[name], choice: isMine ? 'mine' : 'stored' } satisfies Difference,
    ];
  });
}

/** Lists of plain values; anything else is mine as it is. A list that I only put in another order is mine too. */
function mergeLists(before: unknown, mine: unknown, stored: unknown): unknown {
  if (isSame(before, stored) || ![before, mine, stored].every(isPlainList)) return mine;
  const [old, own, there] = [before, mine, stored].map((list) => new Set([list].flat()));
  if (!old || !own || !there) return mine;
  const added = own.difference(old);
  const taken = old.difference(own);
  return added.size + taken.size === 0 ? mine : [...there.difference(taken).union(added)];
}

const isPlainList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each !== 'object');

/** The stored values, with those of mine that were chosen. */
export function mergeModels(stored: FormModel, differences: readonly Difference[]): FormModel {
  const chosen = differences.filter(({ choice }) => choice === 'mine');
  return { ...stored, ...Object.fromEntries(chosen.map(({ field, mine }) => [field.name, mine])) };
}
