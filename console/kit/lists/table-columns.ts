import type { Field } from '#functions/console/description.ts';
import { kindOf } from '../../fields/kinds.ts';

/** What an operator has changed about a table's columns; a new field follows the usual rule. */
export interface ColumnChoice {
  shown: readonly string[];
  hidden: readonly string[];
  /** Names in the order of the columns; all others follow. */
  order: readonly string[];
}

export const noChoice: ColumnChoice = { shown: [], hidden: [], order: [] };

/** IDs name a record for machines, and the version is there for conflicts only. */
const isUsual = (field: Field): boolean =>
  !kindOf(field).column.isRare?.(field) &&
  !(kindOf(field).isKey && !field.refersTo) &&
  field.name !== 'version';

/** All fields in the order that their columns have: as chosen, then as described; the ID is the last by itself. */
export function sortFields(fields: readonly Field[], order: readonly string[]): Field[] {
  const place = ({ name }: Field): number => {
    const chosen = order.indexOf(name);
    if (chosen >= 0) return chosen;
    return name === 'id' ? order.length + 1 : order.length;
  };
  return fields.toSorted((a, b) => place(a) - place(b));
}

/** Moves a column by one place, among those that are shown. @param columns the shown ones in their order */
export function moveColumn(
  choice: ColumnChoice,
  columns: readonly Field[],
  name: string,
  step: 1 | -1,
): ColumnChoice {
  const names = columns.map((field) => field.name);
  const from = names.indexOf(name);
  const other = names[from + step];
  if (from < 0 || other === undefined) return choice;
  return { ...choice, order: names.with(from, other).with(from + step, name) };
}

/**
 * The columns of a table, in the order of {@link sortFields}.
 *
 * @param rare names of fields that are shown only if the operator wants them
 */
export function chooseColumns(
  fields: readonly Field[],
  { shown, hidden, order }: ColumnChoice,
  rare: readonly string[] = [],
): Field[] {
  const isShown = (field: Field): boolean =>
    shown.includes(field.name) || (isUsual(field) && !rare.includes(field.name));
  const wanted = fields.filter((field) => !hidden.includes(field.name) && isShown(field));
  // A list of IDs alone shows them.
  return sortFields(wanted.length > 0 ? wanted : fields.filter(({ name }) => name === 'id'), order);
}

/** Remembers a column as shown or hidden. */
export function switchColumn(
  { shown, hidden, order }: ColumnChoice,
  name: string,
  isShown: boolean,
): ColumnChoice {
  const without = (names: readonly string[]) => names.filter((each) => each !== name);
  return isShown
    ? { shown: [...without(shown), name], hidden: without(hidden), order }
    : { shown: without(shown), hidden: [...without(hidden), name], order };
}

/** Reads a stored choice. @param text JSON, or null if nothing is stored */
export function readChoice(text: string | null): ColumnChoice {
  try {
    const { shown = [], hidden = [], order = [] } = Object(JSON.parse(text ?? '{}'));
    const toNames = (given: unknown) => [given].flat().map(String);
    return { shown: toNames(shown), hidden: toNames(hidden), order: toNames(order) };
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
