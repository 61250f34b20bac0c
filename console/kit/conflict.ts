import type { Field } from '#functions/console/description.ts';
import { type FormModel, isSame } from './form-model.ts';

/** A field whose value in the form is not the stored one. */
export interface Difference {
  field: Field;
  mine: unknown;
  stored: unknown;
  /** Which value is proposed: mine if I changed it, else the stored one. */
  choice: 'mine' | 'stored';
}

/**
 * The fields whose value in the form differs from the stored one.
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
    if (isSame(mine[name], stored[name])) return [];
    const choice = isSame(mine[name], before[name]) ? 'stored' : 'mine';
    return [{ field, mine: mine[name], stored: stored[name], choice } satisfies Difference];
  });
}

/** The stored values, with those of mine that were chosen. */
export function mergeModels(stored: FormModel, differences: readonly Difference[]): FormModel {
  const chosen = differences.filter(({ choice }) => choice === 'mine');
  return { ...stored, ...Object.fromEntries(chosen.map(({ field, mine }) => [field.name, mine])) };
}
