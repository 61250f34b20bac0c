import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import { settleAll } from '#shared/async/settle-all.ts';
import {
  assertVersion,
  editRow,
  getRow,
  putRow,
  removeRow,
  retryOnConflict,
  takeClaim,
} from '#shared/db/entity.ts';
import { getItems, type Key, singleKey, transact, type Write } from '#shared/db/items.ts';
import { removeItem, withoutUndefined } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError, type ErrorDetail } from '#shared/errors/app-error.ts';
import { fold } from '#shared/schema/search.ts';
import type { Edit, Fields, NewValues, Row } from './options.ts';
import { checkReferences, writeReferences } from './references-of-rows.ts';
import type { StoredKind } from './stored-kind.ts';

type Values = Readonly<Record<string, unknown>>;

/** Values of a new record; those that miss are null. */
const complete = (fields: Fields, values: object): Values =>
  Object.fromEntries(Object.keys(fields).map((field) => [field, Object(values)[field] ?? null]));

export async function addRecord<F extends Fields>(
  kind: StoredKind<F>,
  fields: F,
  values: NewValues<F>,
  id = ulid(),
): Promise<Row<F>> {
  const now = new Date().toISOString();
  const given = complete(fields, values);
  const row = { id, ...given, version: 1, created_at: now, updated_at: now } as Row<F>;
  // Its own write is the first: for an ID that is taken, the transaction fails with that.
  await transact([putRow(kind.entity, row), ...listBesides(kind, id, {}, given)]);
  return row;
}

export async function editRecord<F extends Fields>(kind: StoredKind<F>, edit: Edit<F>): Promise<Row<F>> {
  const { id, version, ...given } = edit;
  const old = await getRow(kind.entity, { id });
  assertVersion(old, version);
  const changes = withoutUndefined(given) as Partial<Row<F>>;
  const { write, row } = editRow(kind.entity, old, changes);
  await transact([write, ...listBesides(kind, id, old, row)]);
  return row;
}

export function removeRecord<F extends Fields>(kind: StoredKind<F>, id: string): Promise<void> {
  return retryOnConflict(10, async () => {
    const old = await getRow(kind.entity, { id });
    await transact([removeRow(kind.entity, old), ...listBesides(kind, id, old, {})]);
  });
}

/** The writes beside that of a row: claims of unique texts, and what belongs to references. */
function listBesides(kind: StoredKind, id: string, before: Values, after: Values): Write[] {
  const { named, module, entity } = kind;
  return [
    ...moveClaims(kind, id, before, after),
    ...writeReferences(named, { before, after, own: entity.key({ id }), module }),
  ];
}

function moveClaims(kind: StoredKind, id: string, before: Values, after: Values): Write[] {
  return kind.unique.flatMap((field) => {
    const [old, now] = [claimOf(kind, field, before), claimOf(kind, field, after)];
    if (old?.pk === now?.pk) return [];
    const refusal = () => new AppError('record.taken', { errors: [refuseTaken(field)] });
    return [
      ...(old ? [removeItem(old, { expect: { id } })] : []),
      ...(now ? [takeClaim(now, id, refusal)] : []),
    ];
  });
}

const refuseTaken = (field: string): ErrorDetail => ({ path: `body.${field}`, message: 'rule.taken' });

function claimOf({ prefix }: StoredKind, field: string, values: Values): Key | undefined {
  const value = values[field];
  if (typeof value !== 'string' || value === '') return undefined;
  // A key has 2,048 bytes, and a text may have more.
  const hash = createHash('sha256').update(fold(value)).digest('base64url');
  return singleKey(`${prefix}#unique#${field}#${hash}`);
}

/** What `addRecord` would refuse in each row, without a write: references and unique texts. */
export async function checkRecords<F extends Fields>(
  kind: StoredKind<F>,
  rows: readonly NewValues<F>[],
): Promise<ErrorDetail[][]> {
  const claims = rows.map((row) =>
    kind.unique.flatMap((field) => {
      const key = claimOf(kind, field, { ...row });
      return key ? [{ field, key }] : [];
    }),
  );
  const keys = new Map(claims.flat().map(({ key }) => [key.pk, key]));
  const [missing, taken] = await settleAll([checkReferences(kind.named, rows), getItems([...keys.values()])]);
  const held = new Set(taken.map(({ pk }) => pk));
  return rows.map((_row, at) => [
    ...(missing[at] ?? []),
    ...(claims[at] ?? []).filter(({ key }) => held.has(key.pk)).map(({ field }) => refuseTaken(field)),
  ]);
}

/** The file that declares a kind of record has the rights to its keys. */
export const writtenKeys: ListWrittenKeys = () => [];
