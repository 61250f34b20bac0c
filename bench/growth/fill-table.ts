import { toDay } from '#shared/config/day.ts';
import { database } from '#shared/db/client.ts';
import type { Item } from '#shared/db/items.ts';
import { indexes, keys } from '#shared/db/keys.ts';

const batchSize = 25;
const writers = 2;
/** Of the users; all lie in one item of each counter. */
const shard = '0';

/** Puts the items with the numbers from `from` to before `to` into the table. */
export async function fillTable(from: number, to: number, create: (index: number) => Item): Promise<void> {
  const db = await database();
  const table = process.env.TABLE_NAME ?? '';
  let next = from;
  const write = async () => {
    while (next < to) {
      const start = next;
      next = Math.min(to, start + batchSize);
      const items = Array.from({ length: next - start }, (_, offset) => create(start + offset));
      const puts = items.map((Item) => ({ PutRequest: { Item } }));
      const { UnprocessedItems = {} } = await db.batchWrite({ RequestItems: { [table]: puts } });
      if (Object.keys(UnprocessedItems).length > 0) throw new Error('the engine left items out');
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}

const toId = (index: number): string => String(index).padStart(26, '0');

/** A user, with what indexes and tools could read of it. */
export function createUserItem(index: number): Item {
  const id = toId(index);
  return { ...keys.user(id), id, gsi1pk: indexes.usersByCreation.pk, gsi1sk: id };
}

/** The counters of so many users. */
export async function countUsers(total: number): Promise<void> {
  const counters = [
    { ...keys.counter('USERS', shard), total, terminal_1: total },
    { ...keys.counter(`USERS_DAY#${toDay()}`, shard), total },
  ];
  await fillTable(0, counters.length, (index) => counters[index] ?? {});
}

/** Where a file lies in the list of all. */
export function toFilePosition(index: number) {
  const id = toId(index);
  return { ...keys.file(id), gsi1pk: indexes.filesByCreation.pk, gsi1sk: id };
}

export function createFileItem(index: number): Item {
  const id = toId(index);
  const uri = `storage/uploads/image/${id}.png`;
  return {
    ...toFilePosition(index),
    id,
    type: 'image',
    name: `${id}.png`,
    name_lower: `${id}.png`,
    uri,
    key: uri,
    ext: 'png',
    mime: 'image/png',
    size: 1024,
    module: 'system',
    tag: '',
    engine: 'local',
    uploader_kind: 'admin',
    created_at: '2026-01-01T00:00:00.000Z',
  };
}

/** An item of a dictionary. */
export function createDictItem(typeKey: string, index: number): Item {
  const value = String(index);
  const name = `Option ${value}`;
  return { ...keys.dictItem(typeKey, value), type_key: typeKey, value, name, sort: index, status: 'enabled' };
}
