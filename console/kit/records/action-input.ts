import type { Action, Field } from '#functions/console/description.ts';
import { readMember } from '../../fields/kind.ts';

const placeFields = ['limit', 'cursor', 'page_no', 'page_size'];

/** The fields that an operator fills in: not the record's keys, its version, or the place in a list. */
export function inputFields(action: Action): Field[] {
  const given = action.takes === 'none' ? placeFields : [...action.keys, 'ids', 'version'];
  const fields = action.method === 'GET' ? action.query : action.body;
  return fields.filter(({ name }) => !given.includes(name));
}

/** The parameters of a list that name what it is about, by the values of these in their order. */
export const nameKeys = ({ query }: Action, keys: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(
    query.filter(({ name }) => !placeFields.includes(name)).map(({ name }, index) => [name, keys[index]]),
  );

/**
 * What an action needs to name its record: the keys, and the version as it was read.
 *
 * @param record a row, or rows for an action that takes `ids`
 */
export function recordKeys(action: Action, record: unknown): Record<string, unknown> {
  if (action.takes === 'ids') return { ids: [record].flat().map((row) => readMember(row, 'id')) };
  if (action.takes === 'none') return {};
  const names = action.isVersioned ? [...action.keys, 'version'] : action.keys;
  return Object.fromEntries(names.map((name) => [name, readMember(record, name)]));
}
