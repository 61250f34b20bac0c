import { createHash } from 'node:crypto';
import { encodeTime } from 'ulid';
import { settleAll } from '#shared/async/settle-all.ts';
import { getItem, getItems, singleKey, transact } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { putNew } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Fields, NewValues } from './options.ts';
import type { StoredKind } from './stored-kind.ts';
import { addRecord, checkRecords } from './write-records.ts';

/** Lines of a file, as one request sends them. */
export interface Lines<F extends Fields> {
  /** Names the file: a request with the same key repeats its lines. */
  key: string;
  /** Only checks. */
  check: boolean;
  /** `line` is its number in the file. */
  lines: readonly { line: number; values: NewValues<F> }[];
}

/** How long an import can be repeated without adding its lines again, in days. */
const keptDays = 30;
/** Lines that are written at once. */
const atOnce = 10;
const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Adds lines that were not added before.
 *
 * @throws AppError `request.invalid` naming each line and field that does not fit, before anything is written;
 *   `record.taken` for a unique text that two lines share
 */
export async function importLines<F extends Fields>(
  kind: StoredKind<F>,
  fields: F,
  { key, check, lines }: Lines<F>,
): Promise<{ added: number; present: number }> {
  const begun = await findBegin(kind, key, check);
  const ids = lines.map(({ line }) => toId(begun, `${kind.prefix} ${key}`, line));
  const findPresent = async () => (begun === undefined ? new Set<string>() : await findKnown(kind, ids));
  let known = await findPresent();
  const isNew = (at: number) => !known.has(ids[at] ?? '');
  const rows = lines.map(({ values }) => values);
  const faults = await listFaults(kind, rows);
  // What another request of this import has added since holds the unique texts of its line.
  if (faults.some(({ at }) => isNew(at))) known = await findPresent();
  const errors = faults.filter(({ at }) => isNew(at)).map(({ path, message }) => ({ path, message }));
  if (errors.length > 0) throw new AppError('request.invalid', { errors });
  if (check) return { added: 0, present: known.size };
  let added = 0;
  for (let from = 0; from < lines.length; from += atOnce) {
    const numbers = lines.map((_line, at) => at).slice(from, from + atOnce);
    const outcomes = await settleAll(
      numbers.filter(isNew).map((at) => addLine(kind, fields, rows[at] as NewValues<F>, ids[at] ?? '', at)),
    );
    added += outcomes.filter(Boolean).length;
  }
  return { added, present: lines.length - added };
}

async function findKnown<F extends Fields>(
  { entity }: StoredKind<F>,
  ids: readonly string[],
): Promise<Set<string>> {
  return new Set((await getItems(ids.map((id) => entity.key({ id })))).map((item) => String(item.id)));
}

/** What does not fit, with the index of its line. */
async function listFaults<F extends Fields>(kind: StoredKind<F>, rows: readonly NewValues<F>[]) {
  const found = await checkRecords(kind, rows);
  return found.flatMap((details, at) =>
    details.map(({ path, message }) => ({ at, path: toLinePath(path, at), message })),
  );
}

const toLinePath = (path: string, at: number): string => path.replace(/^body/, `body.lines.${at}.values`);

/** Whether a line is added now; false if another request has added it meanwhile. */
async function addLine<F extends Fields>(
  kind: StoredKind<F>,
  fields: F,
  values: NewValues<F>,
  id: string,
  at: number,
): Promise<boolean> {
  try {
    await addRecord(kind, fields, values, id);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'record.exists') return false;
    const errors = error.errors?.map(({ path, message }) => ({ path: toLinePath(path, at), message }));
    throw new AppError(error, { ...(errors && { errors }), cause: error });
  }
}

/** When the first request of an import came, in Unix milliseconds; undefined if none has and nothing shall be written. */
async function findBegin({ prefix }: StoredKind, key: string, check: boolean): Promise<number | undefined> {
  const place = singleKey(`${prefix}#import#${key}`);
  const stored = await getItem(place);
  if (stored) return Number(stored.at);
  if (check) return undefined;
  const at = Date.now();
  const until = Math.ceil(at / 1000) + keptDays * 86_400;
  try {
    await transact([putNew({ ...place, at, [ttlAttribute]: until }, () => new AppError('record.exists'))]);
    return at;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'record.exists') throw error;
    return Number((await getItem(place))?.at ?? at);
  }
}

/** The ID of a line: the same for each request of an import, and in the order of the file. */
function toId(begun: number | undefined, name: string, line: number): string {
  const hash = createHash('sha256').update(`${name} ${line}`).digest();
  const rest = Array.from({ length: 16 }, (_none, at) => base32[(hash[at] ?? 0) % 32]).join('');
  return `${encodeTime((begun ?? 0) + line, 10)}${rest}`;
}

/** The file that declares a kind of record has the rights to its keys. */
export const writtenKeys: ListWrittenKeys = () => [];
