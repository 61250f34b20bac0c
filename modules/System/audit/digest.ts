import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { StoredEntry } from '#shared/audit/entry.ts';
import { retention } from '#shared/audit/retention.ts';
import { createRecordMac, findUnknownKey, isRecordMac } from '#shared/crypto/record-mac.ts';
import type { Item, Key } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import type { ChainEnd } from './chain-end.ts';

// A digest lists the entries of a time. Digests follow each other without a gap, and each holds the hash of the one
// before, so that a removed or inserted entry shows. A digest ends at the end of its month at the latest. Clocks may be
// wrong: a digest lists older entries too if no digest before lists them, and `at` is the clock of its writer.

const purpose = 'audit-digest';
const daySeconds = 86_400;
/** An entry may be stored this long after its time, in milliseconds: a transaction waits and tries again. */
export const lateMs = 60_000;
/** Entries of this time before a digest are listed by it if none before lists them, in milliseconds. */
export const searchedMs = daySeconds * 1000;
/** Most lines of one chunk. */
const chunkLines = 200;
/** A digest outlives its entries by this time, because DynamoDB deletes expired items late. */
const outliveSeconds = 8 * daySeconds;
/** Shortest life of a digest; it may list no entries. */
export const leastSeconds = 30 * daySeconds;
/** Longest life of a digest. */
export const longestSeconds = retention.max * daySeconds + outliveSeconds;

const content = z.object({
  /** Start of the covered time, ISO 8601, included. */
  from: z.iso.datetime(),
  /** End of the covered time, ISO 8601, excluded. */
  to: z.iso.datetime(),
  /** When it was written, by the clock of its writer, ISO 8601; absent from older digests. */
  at: z.optional(z.iso.datetime()),
  /** ChainState in the chain, from 1, without gaps; absent from older digests. */
  sequence: z.optional(z.int()),
  /** Whether the installation had begun the log. Only the first digest has it. */
  installed: z.optional(z.literal(true)),
  /** Number of listed entries. */
  number: z.int(),
  /** Number of chunks. */
  chunks: z.int(),
  /** Hash of all lines. */
  lines_hash: z.string(),
  /** Hash of the digest before; null for the first. */
  previous: z.nullable(z.string()),
  /** Unix seconds at which the digest before expires. */
  previous_ttl: z.nullable(z.int()),
  [ttlAttribute]: z.int(),
});
const signed = z.extend(content, { mac: z.string() });
export type Digest = z.infer<typeof signed>;

/** The month of a moment, UTC: `2026-11`. */
export const monthOf = (time: number | string): string => new Date(time).toISOString().slice(0, 7);

/** Unix milliseconds of the beginning of the month that is `offset` months after a month. */
export const startOfMonth = (month: string, offset = 0): number =>
  Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + offset);

/** The months from a time to another, UTC. */
export function* listMonths(fromMs: number, toMs: number): Generator<string> {
  const last = monthOf(toMs);
  for (let month = monthOf(fromMs); month <= last; month = monthOf(startOfMonth(month, 1))) yield month;
}

const toMs = (time: string): number => Date.parse(time);
/** The partition of the digests of a month. */
export const digestPartition = (month: string): string => `AUDIT_DIGEST#${month}`;
/** The key of the digest that ends at a time. */
export const digestKey = (to: string): Key => ({ pk: digestPartition(monthOf(toMs(to) - 1)), sk: to });
/**
 * The partition of the chunks of the digest with a hash. Chunks of an interrupted run stay in a partition of their own.
 */
export const chunkPartition = (hash: string): string => `AUDIT_DIGEST#${hash}`;

export const hashDigest = ({ mac }: Digest): string => hash('sha256', mac, 'hex');
export const toChainEnd = (digest: Digest): ChainEnd => ({
  from: digest.from,
  to: digest.to,
  hash: hashDigest(digest),
  expires: digest[ttlAttribute],
  sequence: digest.sequence ?? 0,
});

/** An entry in a digest. */
export interface DigestLine {
  id: string;
  /** Unix seconds. */
  expires: number;
  mac: string;
}

const formatLine = ({ id, expires, mac }: DigestLine): string => `${id} ${expires} ${mac}`;
const hashLines = (lines: readonly string[]): string => hash('sha256', lines.join('\n'), 'hex');

/** The line of an entry. */
export const toLine = ({ id, ttl, mac }: Pick<StoredEntry, 'id' | 'ttl' | 'mac'>): DigestLine => ({
  id,
  expires: ttl,
  mac,
});

/** A count in a digest. Counts only grow. */
export interface CountLine extends Key {
  count: number;
  /** How much of it has entries. */
  recorded: number;
  /** Unix seconds. */
  expires: number;
}

const formatCount = ({ pk, sk, count, recorded, expires }: CountLine): string =>
  JSON.stringify([pk, sk, count, recorded, expires]);
const countLine = z.tuple([z.string(), z.string(), z.int(), z.int(), z.int()]);
/** Lines of entries begin with the ID. */
export const isCountText = (text: string): boolean => text.startsWith('[');

function readCountLine(text: string): CountLine {
  const [pk, sk, count, recorded, expires] = z.parse(countLine, JSON.parse(text));
  return { pk, sk, count, recorded, expires };
}

/**
 * Creates a digest.
 *
 * @param range.at when it is written, by this clock
 * @param range.installed of the first digest, whether the installation had begun the log
 * @param lines in the order of their IDs; those before `from` are entries that no digest before lists
 * @returns the items to store
 */
export function createDigest(
  before: ChainEnd | undefined,
  { from, to, at, installed }: Pick<Digest, 'from' | 'to' | 'at' | 'installed'>,
  lines: readonly DigestLine[],
  counts: readonly CountLine[] = [],
): { digest: Digest; head: Item; chunks: Item[] } {
  const texts = [...lines.map(formatLine), ...counts.map(formatCount)];
  const chunks = Math.ceil(texts.length / chunkLines);
  // Never shorter than that of the digest before, so that a chain expires from its beginning.
  const ttl = lines.reduce(
    (latest, { expires }) => Math.max(latest, expires + outliveSeconds),
    Math.max(before?.expires ?? 0, Math.floor(toMs(to) / 1000) + leastSeconds),
  );
  const record = {
    from,
    to,
    ...(at !== undefined && { at }),
    sequence: (before?.sequence ?? 0) + 1,
    ...(installed && !before && { installed }),
    number: lines.length,
    chunks,
    lines_hash: hashLines(texts),
    previous: before?.hash ?? null,
    previous_ttl: before?.expires ?? null,
    [ttlAttribute]: ttl,
  };
  const digest = { ...record, mac: createRecordMac(purpose, record) };
  return {
    digest,
    head: { ...digestKey(to), ...digest },
    chunks: Array.from({ length: chunks }, (_, index) =>
      toChunk(digest, index, texts.slice(index * chunkLines, (index + 1) * chunkLines)),
    ),
  };
}

/** Reads and checks a stored digest; undefined if this service did not write the item as it is. */
export function readDigest(item: Item): Digest | undefined {
  const { success, data } = z.safeParse(signed, item);
  if (!success) return undefined;
  const { mac, ...record } = data;
  const { pk, sk } = digestKey(data.to);
  const isWhole = Object.keys(item).length === Object.keys(data).length + 2;
  const isGenuine = isWhole && item.pk === pk && item.sk === sk && isRecordMac(purpose, record, mac);
  return isGenuine ? data : undefined;
}

/** The ID of the key of a stored digest, if this service does not have it. */
export const findDigestKey = ({ mac }: Item): string | undefined => findUnknownKey(purpose, mac);

/** The item of a chunk. */
const toChunk = (digest: Digest, index: number, lines: string[]) => ({
  pk: chunkPartition(hashDigest(digest)),
  sk: String(index).padStart(6, '0'),
  lines,
  [ttlAttribute]: digest[ttlAttribute],
});

/** Reads the lines of a digest; undefined if they were changed or removed. */
export function readLines(digest: Digest, chunks: readonly Item[]) {
  const texts = chunks.map(({ lines }) => (Array.isArray(lines) ? lines.map(String) : []));
  const isSame =
    chunks.length === digest.chunks &&
    hashLines(texts.flat()) === digest.lines_hash &&
    chunks.every((chunk, index) =>
      isDeepStrictEqual({ ...chunk }, toChunk(digest, index, texts[index] ?? [])),
    );
  if (!isSame) return undefined;
  const all = texts.flat();
  return {
    entries: all.filter((text) => !isCountText(text)).map(readLine),
    counts: all.filter(isCountText).map(readCountLine),
  };
}

function readLine(text: string): DigestLine {
  const [id = '', expires, mac = ''] = text.split(' ');
  return { id, expires: Number(expires), mac };
}
