import * as z from 'zod/mini';
import { definitionOf, innerOf, rulesOf, type Schema } from '#shared/schema/definition.ts';
import { queryFlag } from '#shared/schema/list.ts';
import { integerText } from '#shared/schema/text.ts';
import { addHints, hintsOf } from '#shared/schema/titled.ts';

/** How a list is limited by a field. */
export type FilterKind = 'value' | 'flag' | 'number' | 'date';

/** The schema of a field without `optional` and the like. */
export function coreOf(schema: Schema): Schema {
  const inner = innerOf(schema);
  return inner ? coreOf(inner) : schema;
}

/** @throws Error if no list can be limited by such a field */
export function filterKindOf(name: string, field: Schema): FilterKind {
  const def = definitionOf(coreOf(field));
  if (def.type === 'boolean') return 'flag';
  if (def.type === 'number' && isWholeFromZero(coreOf(field))) return 'number';
  if (def.type === 'string' && 'format' in def && def.format === 'date') return 'date';
  if (def.type === 'string' || def.type === 'enum' || def.type === 'literal') return 'value';
  throw new Error(`filters: "${name}" is no text, choice, day, yes-or-no or whole number from 0`);
}

/** Whether a number has an order as text: see {@link toSortable}. */
const isWholeFromZero = (number: Schema): boolean =>
  rulesOf(number).some((rule) => 'format' in rule && rule.format === 'safeint') &&
  rulesOf(number).some(
    (rule) => 'check' in rule && rule.check === 'greater_than' && 'value' in rule && Number(rule.value) >= 0,
  );

export const isRange = (kind: FilterKind): boolean => kind === 'number' || kind === 'date';

/** The query parameters of a filter: its name, or `NAME_from` and `NAME_to`, both included. */
export function filterQuery(name: string, field: Schema): Record<string, Schema> {
  const kind = filterKindOf(name, field);
  const core = coreOf(field);
  if (kind === 'value') return { [name]: z.optional(withLabel(core, field)) };
  if (kind === 'flag') return { [name]: z.optional(withLabel(z.clone(queryFlag), field)) };
  const limit = () => (kind === 'number' ? toNumberText(field) : z.clone(core));
  return {
    [`${name}_from`]: z.optional(withLabel(limit(), field, { zh_CN: '起', en: ' from' })),
    [`${name}_to`]: z.optional(withLabel(limit(), field, { zh_CN: '止', en: ' to' })),
  };
}

/** A number in a query. A filter of money is typed like money. */
function toNumberText(field: Schema): Schema {
  const schema = integerText(0, Number.MAX_SAFE_INTEGER);
  const { type, currency } = hintsOf(coreOf(field));
  if (type === 'money') addHints(schema, { type, currency });
  return schema;
}

function withLabel(schema: Schema, field: Schema, more = { zh_CN: '', en: '' }): Schema {
  const { zh_CN, en } = labelOf(field);
  const copy = z.clone(schema as z.ZodMiniType);
  if (zh_CN !== undefined && en !== undefined)
    addHints(copy, { zh_CN: `${zh_CN}${more.zh_CN}`, en: `${en}${more.en}` });
  return copy;
}

/** The label of a field; empty in functions, which are built without labels. */
function labelOf(field: Schema): { zh_CN?: string; en?: string } {
  const found = hintsOf(field);
  if (found.zh_CN !== undefined) return found;
  const inner = innerOf(field);
  return inner ? labelOf(inner) : {};
}

/** A value of a range as a text that sorts like it: a whole number from 0, or a day. */
export const toSortable = (value: unknown): string =>
  typeof value === 'number' ? String(value).padStart(16, '0') : String(value);
