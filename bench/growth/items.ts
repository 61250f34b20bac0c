import { toDay } from '../../shared/config/local-time.ts';
import type { Item } from '../../shared/db/items.ts';
import { indexes, keys } from '../../test/support/keys.ts';

const createdAt = '2026-01-01T00:00:00.000Z';
const toId = (index: number): string => String(index).padStart(26, '0');

/** A user, with the attributes that indexes and tools could read. */
export function createUserItem(index: number): Item {
  const id = toId(index);
  return {
    ...{ ...keys.user(id), gsi1pk: indexes.usersByCreation.pk, gsi1sk: id },
    ...{ id, sn: String(100_000_000 + index), nickname: '', avatar: '', status: 'enabled', session_epoch: 1 },
    ...{ terminal: 1, last_login_at: createdAt, created_at: createdAt },
  };
}

/** The counters of so many users; all lie in one item of each. */
export const createUserCounters = (total: number): Item[] => [
  { ...keys.userCounter('USERS', 0), total, terminal_1: total },
  { ...keys.userCounter(`USERS_MONTH#${toDay().slice(0, 7)}`, 0), [`day_${toDay().slice(8)}`]: total },
];

/** The place of a file in the list of all. */
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
    created_at: createdAt,
  };
}

/** An item of a dictionary. */
export function createDictItem(typeKey: string, index: number): Item {
  const value = String(index);
  const name = `Option ${value}`;
  return {
    ...{ ...keys.dictItem(typeKey, value), type_key: typeKey, value, name, sort: index, status: 'enabled' },
    ...{ remark: '', version: 1, created_at: createdAt, updated_at: createdAt },
  };
}

/** An enabled article without its content. */
export function createArticleItem(index: number): Item {
  const id = toId(index);
  return {
    ...keys.article(id),
    id,
    title: `Article ${index}`,
    category: 'news',
    cover: '',
    summary: '',
    status: 'enabled',
    version: 1,
    published_at: createdAt,
    created_at: createdAt,
    updated_at: createdAt,
    gsi3pk: indexes.articlesByStatus.pk('enabled'),
    gsi3sk: id,
  };
}
