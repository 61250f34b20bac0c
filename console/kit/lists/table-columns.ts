import type { Field } from '#functions/console/description.ts';
import { kindOf } from '../../fields/kinds.ts';

/** What an operator has changed about a table's columns; a new field follows the usual rule. */
export interface ColumnChoice {
  shown: readonly string[];
  hidden: readonly string[];
}

export const noChoice: ColumnChoice = { shown: [], hidden: [] };

/** IDs name a record for machines, and the version is there for conflicts only. */
const isUsual = (field: Field): boolean =>
  !kindOf(field).column.isRare?.(field) &&
  !(kindOf(field).isKey && !field.refersTo) &&
  field.name !== 'version';

/**
 * The columns of a table, in the order of the fields; the ID is the last, if the operator wants it.
 *
 * @param rare names of fields that are shown only if the operator wants them
 */
export function chooseColumns(
  fields: readonly Field[],
  { shown, hidden }: ColumnChoice,
  rare: readonly string[] = [],
): Field[] {
  const isShown = (field: Field): boolean =>
    shown.includes(field.name) || (isUsual(field) && !rare.includes(field.name));
  const wanted = fields.filter((field) => !hidden.includes(field.name) && isShown(field));
  // A list of IDs alone shows them.
  const chosen = wanted.length > 0 ? wanted : fields.filter(({ name }) => name === 'id');
  return [...chosen.filter(({ name }) => name !== 'id'), ...chosen.filter(({ name }) => name === 'id')];
}

/** Remembers a column as shown or hidden. */
export function switchColumn({ shown, hidden }: ColumnChoice, name: string, isShown: boolean): ColumnChoice {
  const without = (names: readonly string[]) => names.filter((each) => each !== name);
  return isShown
    ? { shown: [...without(shown), name], hidden: without(hidden) }
    : { shown: without(shown), hidden: [...without(hidden), name] };
}

/** Reads a stored choice. @param text JSON, or null if nothing is stored */
export function readChoice(text: string | null): ColumnChoice {
  try {
    const { shown = [], hidden = [] } = Object(JSON.parse(text ?? '{}'));
    return { shown: [shown].flat().map(String), hidden: [hidden].flat().map(String) };
  } catch {
    return noChoice;
  }
}

/** Least width of a column in pixels: enough for usual values, and for its label. @param label as it is shown */
export function columnWidth(field: Field, label: string): number {
  return Math.max(kindOf(field).column.width(field), Math.min(labelWidth(label), 176));
}

/** Chinese characters are as wide as two letters. */
const labelWidth = (label: string): number =>
  32 + [...label].reduce((width, character) => width + (character > '\u2e80' ? 15 : 8), 0);
