import { getRow } from '#shared/db/entity.ts';
import type { ErrorDetail } from '#shared/errors/app-error.ts';
import { importLines, type Lines } from './import-lines.ts';
import { listRecords, type RecordPage } from './list-records.ts';
import type { Edit, Fields, NewValues, RecordOptions, Row } from './options.ts';
import { addLabels } from './references-of-rows.ts';
import { createSchemas, type Labels, type RecordQuery, type RecordSchemas } from './schemas.ts';
import { createStoredKind, type StoredKind } from './stored-kind.ts';
import { addRecord, checkRecords, editRecord, removeRecord } from './write-records.ts';

/** A record as it is answered. */
export type Shown<F extends Fields> = Row<F> & { labels?: Labels };

/** A kind of record: its schemas, and what can be done with it. `routes.ts` makes routes of it. */
export interface RecordKind<F extends Fields = Fields>
  extends Pick<RecordOptions<F>, 'name' | 'title' | 'own' | 'fields'>,
    Pick<StoredKind<F>, 'entity'> {
  filters: readonly string[];
  search: readonly string[];
  schemas: RecordSchemas<F>;
  /** A page, with labels. @throws AppError `request.invalid` for a wrong cursor */
  list(query: RecordQuery): Promise<RecordPage<Shown<F>>>;
  /** Strongly consistent, with labels. @throws the kind's `missing` */
  get(id: string): Promise<Shown<F>>;
  /**
   * @param id of the record, for an import that may be repeated. @default a new one
   * @throws AppError `record.exists` for an ID that is taken; `record.taken` for a unique text; `request.invalid` for
   *   a value that names nothing
   */
  add(values: NewValues<F>, id?: string): Promise<Shown<F>>;
  /** @throws AppError `version_conflict`, and as `get` and `add` */
  edit(changes: Edit<F>): Promise<Shown<F>>;
  /** Deletes a record of any version. @throws the kind's `missing`; `version_conflict` if it keeps changing */
  remove(id: string): Promise<void>;
  /** Deletes all records, for an uninstallation. @returns how many */
  removeAll(): Promise<number>;
  /** As `importRoute` says. @throws as {@link importLines} */
  importLines(lines: Lines<F>): Promise<{ added: number; present: number }>;
  /** What `add` would refuse in each of these, without a write. Texts that two of them share are not found. */
  check(rows: readonly NewValues<F>[]): Promise<ErrorDetail[][]>;
}

/**
 * Declares a kind of record, stored and listed by the rules of docs/entities.md.
 *
 * @throws Error for more filters than the table has indexes
 */
export function defineRecord<const F extends Fields, Filter extends keyof F & string>(
  options: RecordOptions<F, Filter>,
): RecordKind<F> {
  const kind = createStoredKind<F>(options, defineRecord);
  const { entity, named } = kind;
  const { name, fields, title, own, filters = [], search = [] } = options;
  const showAll = (rows: readonly Row<F>[]): Promise<Shown<F>[]> => addLabels(named, rows);
  const show = async (row: Row<F>): Promise<Shown<F>> => (await showAll([row]))[0] ?? row;
  const list = async (query: RecordQuery) => {
    const page = await listRecords(kind, query);
    return { ...page, list: await showAll(page.list) };
  };
  return {
    name,
    title,
    own,
    fields,
    filters,
    search,
    entity,
    schemas: createSchemas<F>(options),
    list,
    get: async (id) => show(await getRow(entity, { id })),
    add: async (values, id) => show(await addRecord(kind, fields, values, id)),
    edit: async (changes) => show(await editRecord(kind, changes)),
    remove: (id) => removeRecord(kind, id),
    removeAll: () => removeEach(list, (id) => removeRecord(kind, id)),
    importLines: (lines) => importLines(kind, fields, lines),
    check: (rows) => checkRecords(kind, rows),
  };
}

/** Deletes page by page, so that it can be interrupted and called again. */
async function removeEach(
  list: (query: RecordQuery) => Promise<RecordPage<{ id: string }>>,
  remove: (id: string) => Promise<void>,
): Promise<number> {
  let removed = 0;
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 100, cursor });
    for (const { id } of page.list) {
      await remove(id);
      removed += 1;
    }
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return removed;
}
