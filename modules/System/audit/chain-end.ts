import * as z from 'zod/mini';
import { createRecordMac, findUnknownKey, isRecordMac } from '#shared/crypto/record-mac.ts';
import type { Key } from '#shared/db/items.ts';

// The end of the chain of digests is stored twice: as an item of the table, which moves in the transaction of a digest,
// and as the anchor outside of the table. Both are this record with a MAC.

const purpose = 'audit-end';

const content = z.object({
  from: z.string(),
  to: z.string(),
  /** Hash of the last digest; empty without one. */
  hash: z.string(),
  /** Unix seconds at which the last digest expires. */
  expires: z.int(),
  /** Number of the last digest; 0 if the log was installed and has none. */
  sequence: z.int(),
});
/** The end of a chain of digests. */
export type ChainEnd = z.infer<typeof content>;
const signed = z.strictObject({ ...content.shape, mac: z.string() });
type SignedEnd = z.infer<typeof signed>;

/** The item. It moves with every digest, so that two runs at once cannot both add one. */
export const chainEndKey: Key = { pk: 'AUDIT_DIGEST', sk: 'latest' };

export const signEnd = (end: ChainEnd): SignedEnd => ({ ...end, mac: createRecordMac(purpose, end) });

/** The end of a log that was just installed. */
export const createBeginning = (atMs: number): SignedEnd => {
  const time = new Date(atMs).toISOString();
  return signEnd({ from: time, to: time, hash: '', expires: 0, sequence: 0 });
};

/** A stored end: `unsigned` was written before ends had a MAC. Without the key, nothing can be said of `unknown_key`. */
export type ReadEnd =
  | { state: 'genuine' | 'unsigned'; end: ChainEnd }
  | { state: 'unknown_key'; end: ChainEnd; key: string }
  | { state: 'changed' };

/** Reads and checks a stored end. @param record without the keys of the table */
export function readEnd(record: unknown): ReadEnd {
  const { success, data } = z.safeParse(signed, record);
  if (!success) {
    const old = z.safeParse(oldContent, record);
    return old.success ? { state: 'unsigned', end: { ...old.data, sequence: 0 } } : { state: 'changed' };
  }
  const { mac, ...end } = data;
  if (isRecordMac(purpose, end, mac)) return { state: 'genuine', end };
  const key = findUnknownKey(purpose, mac);
  return key === undefined ? { state: 'changed' } : { state: 'unknown_key', end, key };
}

const { sequence: _sequence, ...oldShape } = content.shape;
const oldContent = z.strictObject(oldShape);

/** Reads the text of an anchor. */
export function readAnchorText(text: string): ReadEnd {
  try {
    const read = readEnd(JSON.parse(text));
    return read.state === 'unsigned' ? { state: 'changed' } : read;
  } catch {
    return { state: 'changed' };
  }
}
