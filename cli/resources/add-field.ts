import { addEntry, addImports, addItem, countItems, hasEntry, UnusualSource } from './edit-module.ts';
import type { FieldSpec } from './parse-field.ts';
import { listImports, renderField, usesZod } from './render-record.ts';

const call = 'defineRecord';

/**
 * Adds a field to the source of a kind of record, as the last one. What was written by hand stays.
 *
 * @throws UnusualSource for a field that is there, for a third filter, and naming the line of a part in another form
 */
export function addField(source: string, field: FieldSpec): string {
  const { name, flags } = field;
  if (hasEntry(source, call, 'fields', name)) throw new UnusualSource(`it has a field "${name}" already`);
  if (flags.includes('filter') && countItems(source, call, 'filters') >= 2)
    throw new UnusualSource('it has two filters already, and a list has no more');
  // From the end to the beginning, so that a refusal names the line of the source as it is.
  let changed = source;
  if (flags.includes('search')) changed = addItem(changed, call, 'search', `'${name}'`);
  if (flags.includes('filter')) changed = addItem(changed, call, 'filters', `'${name}'`);
  changed = addEntry(changed, call, 'fields', renderField(field));
  const imported = addImports(changed, listImports([field]));
  const isImported = /import \* as z from 'zod\/mini';/.test(imported);
  return usesZod(field) && !isImported ? `import * as z from 'zod/mini';\n${imported}` : imported;
}
