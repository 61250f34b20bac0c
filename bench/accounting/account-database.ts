import type { Access } from './access.ts';
import { isSame, type Place, readUnits, type WireItem, writeUnits } from './dynamodb-units.ts';

type Json = Record<string, unknown>;

/** Sends a request to the engine directly. */
export type AskEngine = (operation: string, input: Json) => Promise<Json>;

interface Write {
  key: WireItem;
  isTransaction: boolean;
}

const keyOf = (item: unknown): WireItem => {
  const { pk, sk } = Object(item);
  return { pk, sk };
};
const pkOf = ({ pk }: WireItem): string => String(pk?.S);
const nameOf = ({ pk, sk }: WireItem): string => `${pk?.S} ${sk?.S}`;

/** The items that a request writes or checks. */
function listWrites(operation: string, { Key, Item, TransactItems, RequestItems }: Json): Write[] {
  if (Array.isArray(TransactItems)) {
    return TransactItems.flatMap((write) => Object.values(Object(write))).map((input) => ({
      key: keyOf(Object(input).Key ?? Object(input).Item),
      isTransaction: true,
    }));
  }
  if (operation === 'BatchWriteItem') {
    const requests = Object.values(Object(RequestItems)).flat();
    return requests.map((request) => {
      const { PutRequest, DeleteRequest } = Object(request);
      return { key: keyOf(PutRequest?.Item ?? DeleteRequest?.Key), isTransaction: false };
    });
  }
  const isWrite = ['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation);
  return isWrite ? [{ key: keyOf(Key ?? Item), isTransaction: false }] : [];
}

/**
 * Forwards a request and reports what it consumes by partition. What a write consumes follows from the item
 * before and after it; what a query consumes is the engine's own count.
 *
 * @param pass sends the request to the engine, with the fields that are added to it
 */
export async function accountDatabase(
  operation: string,
  input: Json,
  ask: AskEngine,
  pass: (added: Json) => Promise<Json>,
): Promise<Access[]> {
  const readItem = async (TableName: unknown, key: WireItem): Promise<WireItem | undefined> => {
    const { Item } = await ask('GetItem', { TableName, Key: key, ConsistentRead: true });
    return Item === undefined ? undefined : Object(Item);
  };
  const writes = listWrites(operation, input);
  if (writes.length > 0) {
    const table = tableOf(input);
    const before = await Promise.all(writes.map(({ key }) => readItem(table, key)));
    await pass({});
    const after = await Promise.all(writes.map(({ key }) => readItem(table, key)));
    return writes.flatMap(({ key, isTransaction }, index) =>
      writeUnits(pkOf(key), before[index], after[index], isTransaction).map((use) => ({
        place: use.place,
        key: use.key,
        readUnits: 0,
        writeUnits: use.units,
        ...(use.place === 'table' && !isSame(before[index], after[index]) && { isChange: true }),
        ...(isTransaction && use.place === 'table' && { transactionOn: nameOf(key) }),
      })),
    );
  }
  const answer = await pass({ ReturnConsumedCapacity: 'INDEXES' });
  if (operation === 'Query') return [toQueryAccess(input, answer)];
  return listKeys(operation, input).map(({ key, isConsistent }) => ({
    place: 'table',
    key: pkOf(key),
    readUnits: readUnits(findItem(answer, key), isConsistent),
    writeUnits: 0,
  }));
}

function tableOf({ TableName, TransactItems, RequestItems }: Json): unknown {
  if (TableName) return TableName;
  if (RequestItems) return Object.keys(Object(RequestItems))[0];
  const [first] = Array.isArray(TransactItems) ? TransactItems : [];
  return Object(Object.values(Object(first))[0]).TableName;
}

/** The keys that a request reads. */
function listKeys(operation: string, { Key, ConsistentRead, RequestItems }: Json) {
  if (operation === 'GetItem') return [{ key: keyOf(Key), isConsistent: ConsistentRead === true }];
  const tables = operation === 'BatchGetItem' ? Object.values(Object(RequestItems)) : [];
  return tables.flatMap((asked) => {
    const { Keys = [], ConsistentRead: isConsistent } = Object(asked);
    return Object.values(Keys).map((key) => ({ key: keyOf(key), isConsistent: isConsistent === true }));
  });
}

function findItem({ Item, Responses }: Json, key: WireItem): WireItem | undefined {
  const items: WireItem[] = [Item ?? Object.values(Object(Responses))].flat(2).map(Object);
  return items.find((item) => nameOf(item) === nameOf(key));
}

/** The engine reports what it evaluated; an answer without an item costs the minimum. */
function toQueryAccess(input: Json, { ConsumedCapacity }: Json): Access {
  const { IndexName, KeyConditionExpression, ExpressionAttributeValues } = input;
  const place: Place = IndexName === undefined ? 'table' : toPlace(IndexName);
  const [, name = ''] = /pk\s*=\s*(:\w+)/.exec(String(KeyConditionExpression)) ?? [];
  const key = String(Object(Object(ExpressionAttributeValues)[name]).S);
  const units = Number(Object(ConsumedCapacity).CapacityUnits ?? 0);
  return { place, key, readUnits: Math.max(units, 0.5), writeUnits: 0 };
}

function toPlace(index: unknown): Place {
  if (index === 'gsi1' || index === 'gsi2' || index === 'gsi3') return index;
  throw new Error(`no accounting for the index ${index}`);
}
