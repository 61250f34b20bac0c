import * as z from 'zod/mini';
import { toAnsweredMedia } from '#shared/media/convert-media.ts';
import { components } from '#shared/schema/component.ts';
import { isOptional, type Schema } from '#shared/schema/definition.ts';
import { createdAt, updatedAt, version } from '#shared/schema/fields.ts';
import { creationQuery, cursorQuery, searchQuery } from '#shared/schema/list.ts';
import { recordId } from '#shared/schema/text.ts';
import { addHints, hintsOf, titled } from '#shared/schema/titled.ts';
import { coreOf, filterQuery } from './filters.ts';
import type { Edit, Fields, NewValues, RecordOptions, Row } from './options.ts';
import { referenceOf } from './references.ts';

/** How values are shown: names of records, and of values of a dictionary, by field. */
const labels = titled(
  { zh_CN: '显示名称', en: 'Shown names', type: 'labels' },
  z.record(z.string(), z.string()),
);
export type Labels = Record<string, string>;

/** The place in a list, and what it is limited by. */
export type RecordQuery<Filter extends string = string> = {
  limit: number;
  cursor?: string;
  search?: string;
  created_from?: string;
  created_before?: string;
} & { [Name in Filter]?: unknown };

/** The schemas of the routes of a record. Their types are said here, since they are made of `fields` at run time. */
export interface RecordSchemas<F extends Fields> {
  /** As answered. */
  data: z.ZodMiniType<Row<F> & { labels?: Labels }, Row<F> & { labels?: Labels }>;
  /** Body of a new record. */
  added: z.ZodMiniType<NewValues<F>>;
  /** Body of an edit. */
  edited: z.ZodMiniType<Edit<F>>;
  query: z.ZodMiniType<RecordQuery>;
}

export function createSchemas<F extends Fields>(options: RecordOptions<F>): RecordSchemas<F> {
  const { fields, filters = [], search = [], module, name } = options;
  const shape = Object.entries<Schema>(fields);
  const hasLabels = shape.some(([, field]) => referenceOf(field));
  const given = Object.fromEntries(
    shape.map(([key, field]) => [key, isOptional(field, 'input') ? z.optional(z.nullable(field)) : field]),
  );
  const answered = Object.fromEntries(shape.map(([key, field]) => [key, toAnswered(field)]));
  const added = z.strictObject(given);
  const data = z
    .strictObject({
      id: recordId,
      ...answered,
      version,
      created_at: createdAt,
      updated_at: updatedAt,
      ...(hasLabels && { labels }),
    })
    .register(components, { id: toPascalCase(`${module}_${name}`) });
  const edited = z.extend(z.partial(added), { id: recordId, version });
  return { data, added, edited, query: createQuery(fields, filters, search.length > 0) } as never;
}

/** The query of a list. @param filters its fields */
export function createQuery(fields: Fields, filters: readonly string[], isSearched: boolean) {
  return z.object({
    ...cursorQuery,
    ...(isSearched && searchQuery),
    ...Object.assign({}, ...filters.map((filter) => filterQuery(filter, Object(fields)[filter]))),
    ...creationQuery,
  }) as unknown as z.ZodMiniType<RecordQuery>;
}

/** Some fields of a record, and its ID, as answered to those who may not read all of it. */
export function createView(fields: Fields, names: readonly string[]) {
  const shown = names.map((name) => [name, toAnswered(Object(fields)[name])]);
  return z.strictObject({ id: recordId, ...Object.fromEntries(shown), created_at: createdAt });
}

function toAnswered(given: Schema): Schema {
  const field = toAnsweredMedia(given);
  return isOptional(field, 'output') ? toNullable(field) : field;
}

/** The schema of a stored value that may be missing: null then. It keeps the label. */
function toNullable(field: Schema): Schema {
  const schema = z.nullable(coreOf(field));
  addHints(schema, hintsOf(field));
  return schema;
}

const toPascalCase = (name: string): string =>
  name
    .split(/[^a-zA-Z]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
