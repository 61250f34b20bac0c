import { createHmac } from 'node:crypto';
import { isEqual } from '#shared/crypto/equal.ts';
import { type DerivedKey, deriveKeys } from '#shared/crypto/keys.ts';

/** A value with the generation that was read before it. */
export interface CacheEntry<Value> {
  generation: string;
  value: Value;
}

/** How entries are written, and read again. */
export interface EntryFormat {
  encode(entryKey: string, entry: CacheEntry<unknown>, ttlSeconds: number): string;
  /** Undefined for a text that is not an entry of this key. */
  decode<Value>(entryKey: string, cell: string): CacheEntry<Value> | undefined;
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Entries as they are: who can write to the cache decides their values. */
export const plainFormat: EntryFormat = {
  encode: (_entryKey, entry) => JSON.stringify(entry),
  decode: (_entryKey, cell) => parse(cell),
};

/**
 * Entries that only this service can make: their JSON ends with an HMAC-SHA-256 of it and of the Redis key. Each counts
 * until its time is over, also if it is kept and written again later.
 */
export const signedFormat: EntryFormat = {
  encode(entryKey, entry, ttlSeconds) {
    const text = JSON.stringify({ ...entry, until: Date.now() + ttlSeconds * 1000 }).slice(0, -1);
    return text + formatEnd(deriveKeys('cache')[0], entryKey, text);
  },
  decode<Value>(entryKey: string, cell: string) {
    const text = cell.slice(0, -endLength);
    const end = cell.slice(-endLength);
    if (!deriveKeys('cache').some((key) => isEqual(end, formatEnd(key, entryKey, text)))) return undefined;
    const entry = parse<CacheEntry<Value> & { until: number }>(cell);
    return entry && Date.now() < entry.until ? entry : undefined;
  },
};

const createMac = ({ secret }: DerivedKey, entryKey: string, text: string): string =>
  createHmac('sha256', secret).update(`${entryKey}\n${text}`).digest('base64url');

const formatEnd = (...of: Parameters<typeof createMac>): string => `,"mac":"${createMac(...of)}"}`;
/** The MAC has 43 characters. */
const endLength = ',"mac":""}'.length + 43;
