import { brotliCompressSync, constants } from 'node:zlib';
import type * as z from 'zod/mini';
import { withoutSecrets } from '#shared/schema/secrets.ts';
import { ttlAttribute } from '../table.ts';
import type { Item, Key, Replaced, Write } from '../write.ts';
import { type Author, type KeptRevisions, revisionPartition, revisionsOf } from './options.ts';

const dayInSeconds = 86_400;

/** What becomes a revision. */
export interface Replacement {
  /** The key of the row. */
  key: Key;
  kept: KeptRevisions;
  replaced: Replaced;
  author: Author | undefined;
}

/** The write that keeps what another write of the same transaction replaces. */
export function createRevision({ key: place, kept, replaced, author }: Replacement): Write {
  const { by = null, action = null, request_id = null } = author ?? {};
  const item = {
    ...toRevisionKey(kept.record(place), place, replaced),
    at: replaced.at,
    by,
    action,
    request_id,
    row: pack(kept.row, replaced),
    [ttlAttribute]: Math.floor(Date.now() / 1000) + kept.days * dayInSeconds,
  };
  return { Put: { Item: item } };
}

/** In the order of time, then of versions: a clock may stand still. */
function toRevisionKey(record: Key, row: Key, { at, old }: Replaced): Key {
  const version = String(old.version ?? 0).padStart(10, '0');
  const part = row.sk === record.sk ? '' : `#${encodeURIComponent(row.sk)}`;
  return { pk: revisionPartition(record.pk), sk: `${revisionsOf(record)}${at}#${version}${part}` };
}

/** DynamoDB refuses larger items; the rest of the item is small. */
const mostBytes = 390 * 1024;

/**
 * The row and the new values, compressed: in a long text of which little has changed, the second one takes hardly any
 * place. New values that do not fit are left out: the next revision has them.
 */
function pack(schema: z.core.$ZodType, { old, now }: Replaced): Uint8Array {
  const before = withoutSecrets(schema, old);
  const after = now && listChanged(Object(before), Object(withoutSecrets(schema, now)));
  const packed = compress({ old: before, new: after });
  return packed.length <= mostBytes ? packed : compress({ old: before, new: after && {} });
}

const compress = (value: object): Uint8Array => {
  const text = Buffer.from(JSON.stringify(value));
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return brotliCompressSync(text, {
    params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_SIZE_HINT]: text.length },
  });
};

function listChanged(old: Item, now: Item): Item {
  const isChanged = (name: string) => JSON.stringify(old[name]) !== JSON.stringify(now[name]);
  return Object.fromEntries(Object.entries(now).filter(([name]) => isChanged(name)));
}
