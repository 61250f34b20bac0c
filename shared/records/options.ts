import type * as z from 'zod/mini';
import type { Entity } from '#shared/db/entity.ts';
import type { AppError } from '#shared/errors/app-error.ts';

/** The fields of a record: schemas by name, in the order of forms and tables. */
export type Fields = Readonly<Record<string, z.core.$ZodType>>;

/** A value as it is stored: a field that may miss is null then. */
type Stored<Schema extends z.core.$ZodType> =
  undefined extends z.output<Schema> ? Exclude<z.output<Schema>, undefined> | null : z.output<Schema>;

/** What the platform keeps of every record. */
export interface RecordFacts {
  /** A ULID: it sorts by time of creation. */
  id: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export type Row<F extends Fields> = { [Name in keyof F]: Stored<F[Name]> } & RecordFacts;

type OptionalNames<F extends Fields> = {
  [Name in keyof F]: undefined extends z.output<F[Name]> ? Name : never;
}[keyof F];

/** The values of a new record; a field that may miss may be null too. */
export type NewValues<F extends Fields> = {
  [Name in Exclude<keyof F, OptionalNames<F>>]: Stored<F[Name]>;
} & {
  [Name in OptionalNames<F>]?: Stored<F[Name]>;
};

/** The values of an edit, of the version that was read; undefined changes nothing. */
export type Edit<F extends Fields> = { [Name in keyof F]?: Stored<F[Name]> } & Pick<
  RecordFacts,
  'id' | 'version'
>;

export interface RecordOptions<F extends Fields, Filter extends keyof F & string = keyof F & string> {
  /** Prefix of the module's routes: `shop`. Uses of dictionary values are counted under it. */
  module: string;
  /** One record, in lower case with underscores: `product`. Keys begin with it, and the audit log names records by it. */
  name: string;
  /** One record, and in English several. Summaries of its routes are made of it. */
  title: { zh_CN: string; en: string; plural: string };
  fields: F;
  /**
   * Fields that lists can be limited by: a value, or for numbers, amounts and days a range. Each has an index of the
   * table, and one index lists all records, so there are at most two.
   */
  filters?: readonly Filter[];
  /** Fields with texts that a search reads. */
  search?: readonly (keyof F & string)[];
  /** The order of a list that no range limits. @default newest */
  order?: 'newest' | 'oldest';
  /** The field with the ID of the user who owns the record, for `ownListRoute` and its like. It is one of `filters`. */
  own?: NoInfer<Filter>;
  /** Keeps earlier versions, as `defineEntity` does. */
  revisions?: Entity<Row<F>, { id: string }>['revisions'];
  /** @default `record.not_found` */
  missing?(): AppError;
}
