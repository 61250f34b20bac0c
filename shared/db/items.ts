import { randomUUID } from 'node:crypto';
import type { DynamoDBDocument, QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { settleAll } from '#shared/async/settle-all.ts';
import { environment } from '#shared/config/environment.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { database } from './client.ts';
import { ConditionError, cancellationCodes, toDatabaseError } from './errors.ts';
import { isJoined, sendJoined } from './joined-writes.ts';
import { clearMirrors } from './mirrors.ts';
import { factsOf } from './record-facts.ts';
import { keepsRevisions, withRevisions } from './revisions/keep.ts';
import type { IndexName } from './table.ts';
import type { Item, Key, Refusal, Write } from './write.ts';

export type { Item, Key, Refusal, Write } from './write.ts';

/** The key of the only item of a partition. */
export const singleKey = (pk: string): Key => ({ pk, sk: pk });

type Attempt<T> = (client: DynamoDBDocument, table: string) => Promise<T>;

const conflictTries = 8;

/** Calls the database. After a conflict with other transactions, it waits and tries again. */
async function call<T>(attempt: Attempt<T>): Promise<T> {
  const client = await database();
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(client, environment().tableName);
    } catch (error) {
      if (tries === conflictTries || !isConflict(error)) throw toDatabaseError(error);
      await pause(Math.random() * 10 * 2 ** tries);
    }
  }
}

/** Cancellation reasons that pass with time. */
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Whether only other transactions, or too many of them, were the reason. */
function isConflict(error: unknown): boolean {
  if (error instanceof Error && error.name === 'TransactionConflictException') return true;
  const codes = cancellationCodes(error).filter((code) => code !== 'None');
  return codes.length > 0 && codes.every((code) => passing.has(code));
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** One item by key, strongly consistent; undefined if it does not exist. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const output = await call((db, table) =>
    db.get({ TableName: table, Key: { ...key }, ConsistentRead: true }),
  );
  return output.Item;
}

/** Most keys of one BatchGetItem. */
const batchGetLimit = 100;

/** Items by key in any order, strongly consistent; those that do not exist are left out. */
export async function getItems(wanted: Key[]): Promise<Item[]> {
  const chunks: Key[][] = [];
  for (let at = 0; at < wanted.length; at += batchGetLimit) chunks.push(wanted.slice(at, at + batchGetLimit));
  return (await settleAll(chunks.map(getChunk))).flat();
}

async function getChunk(chunk: Key[]): Promise<Item[]> {
  const items: Item[] = [];
  let rest: Key[] = chunk;
  for (let tries = 1; rest.length > 0; tries += 1) {
    if (tries > conflictTries) throw new AppError('database.unavailable', { cause: 'keys left unprocessed' });
    if (tries > 1) await pause(Math.random() * 10 * 2 ** tries);
    const output = await call((db, table) =>
      db.batchGet({
        RequestItems: { [table]: { Keys: rest.map((key) => ({ ...key })), ConsistentRead: true } },
      }),
    );
    const { tableName } = environment();
    items.push(...(output.Responses?.[tableName] ?? []));
    rest = (output.UnprocessedKeys?.[tableName]?.Keys ?? []).map(({ pk, sk }) => ({ pk, sk }));
  }
  return items;
}

export type Query = Omit<QueryCommandInput, 'TableName'>;

/** One page of a query: at most 1 MiB, or `Limit` items. */
export async function queryPage(query: Query): Promise<{ items: Item[]; last: Position | undefined }> {
  const output = await call((db, table) => db.query({ ...query, TableName: table }));
  return { items: output.Items ?? [], last: output.LastEvaluatedKey };
}

/** A partition of an index. */
export interface IndexPartition {
  name: IndexName;
  pk: string;
}

/** The start of the next page of a query. */
export type Position = Record<string, unknown>;

export interface IndexQuery extends IndexPartition {
  /** Most items to evaluate. */
  limit: number;
  /** Only this sort key and those above. */
  from?: string;
  /** Only sort keys below this one. */
  below?: string;
  /** Only this sort key. */
  equals?: string;
  /** Only sort keys that begin with this. */
  beginsWith?: string;
  /** Descending by sort key. @default true */
  isNewestFirst?: boolean;
  start?: Position;
  /** An expression over attributes that are not keys. */
  filter?: { expression: string; values: Record<string, unknown>; names?: Record<string, string> };
}

/** One page of an index, eventually consistent. */
export async function queryIndex(query: IndexQuery): ReturnType<typeof queryPage> {
  const { name, pk, limit, from, below, isNewestFirst = true, start, filter } = query;
  // The database refuses an empty range.
  if (from !== undefined && below !== undefined && from >= below) return { items: [], last: undefined };
  const [range, values] = toRange(query);
  return queryPage({
    IndexName: name,
    KeyConditionExpression: range ? `${name}pk = :pk AND ${range}` : `${name}pk = :pk`,
    FilterExpression: filter?.expression,
    ExpressionAttributeNames: filter?.names,
    ExpressionAttributeValues: { ':pk': pk, ...values, ...filter?.values },
    ScanIndexForward: !isNewestFirst,
    Limit: limit,
    ExclusiveStartKey: start,
  });
}

/** The condition on the sort key, and its values. The database takes only one. */
function toRange({ name, from, below, equals, beginsWith }: IndexQuery): [string, Record<string, string>] {
  const sk = `${name}sk`;
  if (from !== undefined && below !== undefined) {
    return [`${sk} BETWEEN :from AND :last`, { ':from': from, ':last': keyBelow(below) }];
  }
  if (from !== undefined) return [`${sk} >= :from`, { ':from': from }];
  if (below !== undefined) return [`${sk} < :below`, { ':below': below }];
  if (equals !== undefined) return [`${sk} = :sk`, { ':sk': equals }];
  return beginsWith === undefined ? ['', {}] : [`begins_with(${sk}, :sk)`, { ':sk': beginsWith }];
}

/** Sorts before a sort key, and after all smaller ones of letters and digits. */
export const keyBelow = (sk: string): string =>
  `${sk.slice(0, -1)}${String.fromCharCode(sk.charCodeAt(sk.length - 1) - 1)}~`;

/** Every item of one partition, strongly consistent, in the order of `sk`. For bounded collections only. */
export async function queryPartition(pk: string, attributes?: readonly string[]): Promise<Item[]> {
  const items: Item[] = [];
  let start: Position | undefined;
  do {
    const page = await queryPage({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
      ExclusiveStartKey: start,
      ...(attributes && projection(attributes)),
    });
    items.push(...page.items);
    start = page.last;
  } while (start);
  return items;
}

function projection(attributes: readonly string[]) {
  return {
    ProjectionExpression: attributes.map((name) => `#${name}`).join(),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
  };
}

/**
 * Changes one item, then clears its cache entries. The change must be idempotent.
 *
 * @throws the error of `refusal` if the condition does not hold, ConditionError without a refusal
 */
export async function updateItem(input: NonNullable<Write['Update']>, refusal?: Refusal): Promise<void> {
  const write = { Update: input, refusal };
  if (isJoined() || keepsRevisions(input.Key ?? {})) return transact([write]);
  await refusing([write], () => call((db, table) => db.update({ ...input, TableName: table })));
}

/** Deletes one item, then clears its cache entries. Idempotent. */
export async function deleteItem(key: Key): Promise<void> {
  const Key = { ...key };
  if (isJoined() || keepsRevisions(key)) return transact([{ Delete: { Key } }]);
  await refusing([{ Delete: { Key } }], () => call((db, table) => db.delete({ TableName: table, Key })));
}

/**
 * Writes all or nothing, with the revisions of the rows that are replaced, then clears the cache entries. Use it for conditional writes of one item too:
 * after a lost answer, DynamoDB recognises the repeated transaction, but a repeated plain write would fail its own
 * condition.
 *
 * @param writes 1 to `transactionLimit`, each of another item
 * @throws the error of the first `refusal` whose condition does not hold, ConditionError without a refusal
 */
export async function transact(writes: readonly Write[]): Promise<void> {
  const token = randomUUID();
  const send = (all: readonly Write[]) =>
    call((db, table) => {
      const withTable = ({ refusal, replaced, ...write }: Write) =>
        Object.fromEntries(
          Object.entries(write).map(([kind, input]) => [kind, { ...input, TableName: table }]),
        );
      return db.transactWrite({ TransactItems: all.map(withTable), ClientRequestToken: token });
    });
  const all = await withRevisions(writes);
  await refusing(all, () => sendJoined(all, send));
}

async function refusing(writes: readonly Write[], send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    const refusal = error.failed.map((index) => writes[index]?.refusal).find((each) => each !== undefined);
    throw refusal ? await refusal(error) : error;
  } finally {
    // After a failure too: the write may have happened.
    await clearMirrors(writes.map(toChanged));
  }
}

function toChanged({ Put, Update, Delete }: Write) {
  const key = Put?.Item ?? Update?.Key ?? Delete?.Key ?? {};
  const { mirrors = [] } = factsOf(key) ?? {};
  return { key: { pk: String(key.pk), sk: String(key.sk) }, isPut: Put !== undefined, mirrors };
}

/** Waits for a write. @returns false if one of its conditions does not hold; then nothing was written */
export async function holds(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
}
