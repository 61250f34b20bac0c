import * as z from 'zod/mini';
import { defineEntity, type Entity } from '#shared/db/entity.ts';
import { singleKey } from '#shared/db/items.ts';
import type { IndexName } from '#shared/db/table.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { fold } from '#shared/schema/search.ts';
import { isUnique } from './fields/values.ts';
import { type FilterKind, filterKindOf, isRange, toSortable } from './filters.ts';
import type { Fields, RecordFacts, RecordOptions, Row } from './options.ts';
import type { Reference } from './references.ts';
import { listReferences } from './references-of-rows.ts';

/** How a kind of record is stored. */
export interface StoredKind<F extends Fields = Fields> {
  entity: Entity<Row<F>, { id: string }>;
  module: string;
  named: readonly (readonly [field: string, reference: Reference])[];
  /** Fields that no two records share. */
  unique: readonly string[];
  /** The owner comes first: its index has the fewest records. */
  filters: Readonly<Record<string, FilterKind>>;
  order: 'newest' | 'oldest';
  /** Beginning of all its keys. */
  prefix: string;
}

/** Attribute with the folded texts that a search reads. */
export const searchAttribute = 'search_text';

/** Indexes of filters; the first one of the table lists all records. */
const filterIndexes: readonly IndexName[] = ['gsi2', 'gsi3'];

/** The function that declares an entity. */
type Declare = Parameters<typeof defineEntity>[1];

/**
 * @param declare the function that the module calls
 * @throws Error for more filters than the table has indexes
 */
export function createStoredKind<F extends Fields>(
  options: RecordOptions<F>,
  declare: Declare,
): StoredKind<F> {
  const { name, fields, module, filters = [], order = 'newest', own } = options;
  if (filters.length > filterIndexes.length) {
    throw new Error(
      `${name}: the filters ${filters.join(', ')} need ${filters.length} indexes, and ${filterIndexes.length} are free`,
    );
  }
  if (own !== undefined && !filters.includes(own)) throw new Error(`${name}: list "${own}" in filters`);
  const kinds = Object.fromEntries(
    filters.map((filter) => [filter, filterKindOf(`${name}.${filter}`, Object(fields)[filter])]),
  );
  const prefix = name.toUpperCase();
  return {
    entity: createEntity(options, kinds, prefix, declare),
    module,
    named: listReferences(fields),
    unique: Object.entries(fields).flatMap(([field, schema]) => (isUnique(schema) ? [field] : [])),
    filters: Object.fromEntries(
      Object.entries(kinds).toSorted(([a], [b]) => Number(b === own) - Number(a === own)),
    ),
    order,
    prefix,
  };
}

function createEntity<F extends Fields>(
  { name, fields, search = [], revisions, missing }: RecordOptions<F>,
  kinds: Readonly<Record<string, FilterKind>>,
  prefix: string,
  declare: Declare,
): Entity<Row<F>, { id: string }> {
  const stored = Object.keys(fields).map((field) => [field, z._default(z.any(), null)]);
  const row = z.object({
    id: z.string(),
    ...Object.fromEntries(stored),
    version: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
  });
  const byFilter = Object.entries(kinds).map(([field, kind], at) => [
    field,
    { name: filterIndexes[at], ...(isRange(kind) ? byRange(prefix, field) : byValue(prefix, field)) },
  ]);
  const entity = {
    row: row as unknown as z.core.$ZodType<Row<F>>,
    key: ({ id }: { id: string }) => singleKey(`${prefix}#${id}`),
    indexes: {
      all: { name: 'gsi1', pk: () => prefix, sk: ({ id }: RecordFacts) => id },
      ...Object.fromEntries(byFilter),
    },
    ...(search.length > 0 && {
      toAttributes: (stored: object) => ({ ...stored, ...toSearchText(search, stored) }),
    }),
    target: name,
    ...(revisions && { revisions }),
    missing: missing ?? (() => new AppError('record.not_found')),
    taken: () => new AppError('record.exists'),
  };
  return defineEntity<Row<F>, { id: string }, object>(entity as never, declare);
}

/** The folded texts of a row, as the attribute that a search reads. */
const toSearchText = (fields: readonly string[], row: object) => ({
  [searchAttribute]: fields.map((field) => fold(String(Object(row)[field] ?? ''))).join(' '),
});

type Listed = RecordFacts & Record<string, unknown>;
const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

const byValue = (prefix: string, field: string) => ({
  pk: (row: Listed) => (isThere(row[field]) ? `${prefix}#${field}#${row[field]}` : undefined),
  sk: ({ id }: RecordFacts) => id,
});

const byRange = (prefix: string, field: string) => ({
  pk: (row: Listed) => (isThere(row[field]) ? `${prefix}#${field}` : undefined),
  sk: (row: Listed) => `${toSortable(row[field])}#${row.id}`,
});

/** The file of a declaration has the rights to its keys. */
export const writtenKeys: ListWrittenKeys = () => [];
