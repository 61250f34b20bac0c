import { decodeTime, isValid } from 'ulid';
import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { verifyAuditItem } from '#shared/audit/stored-entries.ts';
import {
  getItem,
  holds,
  type Item,
  type Key,
  queryPage,
  queryPartition,
  transact,
} from '#shared/db/items.ts';
import { changeItem, putItem, putNew } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { log } from '#shared/log/log.ts';
import {
  type ChainEnd,
  chunkPartition,
  createDigest,
  type Digest,
  type DigestLine,
  digestKey,
  digestPartition,
  firstIdOf,
  hashDigest,
  lateMs,
  leastSeconds,
  listMonths,
  longestSeconds,
  monthOf,
  readDigest,
  searchedMs,
  startOfMonth,
  toChainEnd,
  toLine,
} from './digest.ts';
import { readItems, readMonth } from './stored-log.ts';

/** The end of the chain. It moves with every digest, so that two runs at once cannot both add one. */
export const chainEndKey: Key = { pk: 'AUDIT_DIGEST', sk: 'latest' };
const chainEnd = z.object({ from: z.string(), to: z.string(), hash: z.string(), expires: z.int() });

/**
 * The end of the chain. Its item only points to the last digest. The next digest takes hash and expiry from that digest
 * itself, because only the digest is authenticated.
 *
 * @param nowMs Unix milliseconds
 */
export async function readChainEnd(nowMs = Date.now()): Promise<ChainEnd | undefined> {
  const item = await getItem(chainEndKey);
  if (!item) return undefined;
  const end = z.parse(chainEnd, item);
  const stored = await getItem(digestKey(end.to));
  const digest = stored && readDigest(stored);
  if (digest && hashDigest(digest) === end.hash) return toChainEnd(digest);
  const expires = Math.max(end.expires, Math.floor(Date.parse(end.to) / 1000) + leastSeconds);
  if (!stored && expires * 1000 <= nowMs) return end;
  // Removed or changed: `audit:verify` names it for as long as there is a digest after it.
  log.error('audit.digest_invalid', { to: end.to });
  return { ...end, expires: Math.floor(nowMs / 1000) + longestSeconds };
}

export interface DigestOptions {
  /** End of the time to cover, in Unix milliseconds. @default now */
  toMs?: number;
  /** Asked before each digest: true ends the work. */
  isOver?(): boolean;
  /** Most entries of one digest; what is above is left to the next. */
  maxEntries?: number;
}

/**
 * Writes digests from the end of the last one on, each within one month. The first begins with the first entry.
 * May run twice at once: then one of the runs ends early.
 *
 * @returns the digests, in their order
 */
export async function writeDigests({
  toMs = Date.now(),
  isOver = () => false,
  maxEntries = 50_000,
}: DigestOptions = {}): Promise<Digest[]> {
  const written: Digest[] = [];
  let end = await readChainEnd(toMs);
  let fromMs = end ? Date.parse(end.to) : await findFirstTime(toMs);
  // The clock of the last digest was ahead: one of a millisecond lists what came since.
  const firstUntilMs = end && Date.parse(end.to) > toMs ? Date.parse(end.to) + 1 : toMs;
  while (fromMs !== undefined && fromMs < firstUntilMs && !isOver()) {
    const untilMs = Math.min(firstUntilMs, startOfMonth(monthOf(fromMs), 1));
    const digest = await writeDigest(end, { fromMs, untilMs, nowMs: toMs }, maxEntries);
    if (!digest) return written;
    written.push(digest);
    // A copy of these lines in another store proves that digests were replaced (docs/audit.md).
    log.info('audit.digest', {
      from: digest.from,
      to: digest.to,
      number: digest.number,
      hash: hashDigest(digest),
    });
    end = toChainEnd(digest);
    fromMs = Date.parse(end.to);
  }
  return written;
}

/** Months that are searched for the first entry at once. */
const monthsAtOnce = 12;

/**
 * Time of the first entry, in Unix milliseconds; undefined for an empty log. Without any digest the first entry may be
 * as old as the longest retention allows.
 */
async function findFirstTime(toMs: number): Promise<number | undefined> {
  const oldest = monthOf(toMs - longestSeconds * 1000);
  for (let offset = 0; startOfMonth(oldest, offset) < toMs; offset += monthsAtOnce) {
    const months = Array.from({ length: monthsAtOnce }, (_, index) => startOfMonth(oldest, offset + index));
    const ids = await settleAll(months.map((start) => readFirstId(monthOf(start))));
    const first = ids.find(isValid);
    if (first) return decodeTime(first);
  }
  return undefined;
}

/** The ID of the first entry of a month; empty if it has no entries. */
async function readFirstId(month: string): Promise<string> {
  const { items } = await queryPage({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': auditPartition(month) },
    ConsistentRead: true,
    Limit: 1,
  });
  return String(items[0]?.sk ?? '');
}

/** A time to cover, in Unix milliseconds. */
interface Span {
  fromMs: number;
  untilMs: number;
  /** The clock. */
  nowMs: number;
}

const spellTime = (time: number): string => new Date(time).toISOString();

/** @returns undefined if another run has written a digest meanwhile, or if a digest after the clock would be empty */
async function writeDigest(
  end: ChainEnd | undefined,
  span: Span,
  maxEntries: number,
): Promise<Digest | undefined> {
  const { lines, endMs } = await readNewLines(end, span, maxEntries);
  if (span.fromMs >= span.nowMs && lines.length === 0) return undefined;
  const range = { from: spellTime(span.fromMs), to: spellTime(endMs), at: spellTime(span.nowMs) };
  const { digest, head, chunks } = createDigest(end, range, lines);
  await putChunks(chunks);
  const next = toChainEnd(digest);
  const move = end
    ? changeItem(chainEndKey, { set: { ...next }, expect: { hash: end.hash } })
    : putNew({ ...chainEndKey, ...next });
  return (await holds(transact([putNew(head), move]))) ? digest : undefined;
}

/** Chunks of 20 KB: far below the 4 MB of a transaction. */
const chunksAtOnce = 25;

async function putChunks(chunks: readonly Item[]): Promise<void> {
  for (let at = 0; at < chunks.length; at += chunksAtOnce) {
    await transact(chunks.slice(at, at + chunksAtOnce).map((chunk) => putItem(chunk)));
  }
}

/**
 * The entries of a time, and those of the day before that no digest lists: they were stored late, or a clock was wrong.
 *
 * @returns `endMs`, the end of the covered time: earlier than asked for if there are too many entries
 */
async function readNewLines(end: ChainEnd | undefined, { fromMs, untilMs, nowMs }: Span, maxEntries: number) {
  const sinceMs = end ? Math.max(0, Math.min(fromMs, nowMs) - searchedMs) : fromMs;
  const listed = end ? await readListed(end, sinceMs) : new Set<string>();
  const last = firstIdOf(untilMs);
  const lines: DigestLine[] = [];
  for (const month of listMonths(sinceMs, fromMs)) {
    for await (const item of readMonth(month, firstIdOf(sinceMs))) {
      const id = String(item.sk);
      if (id >= last) break;
      if (listed.has(id)) continue;
      const entry = verifyAuditItem(item);
      if (!entry) {
        // Not listed, so that `audit:verify` names it. The line raises the alarm of errors, once.
        if (id >= firstIdOf(fromMs - lateMs)) log.error('audit.entry_invalid', { id });
        continue;
      }
      if (lines.length >= maxEntries && id >= firstIdOf(fromMs + 1)) return cut(lines, id);
      lines.push(toLine(entry));
    }
  }
  return { lines, endMs: untilMs };
}

/** Leaves the millisecond of the next entry to the next digest. */
function cut(lines: readonly DigestLine[], nextId: string) {
  const endMs = decodeTime(nextId);
  const first = firstIdOf(endMs);
  return { lines: lines.filter(({ id }) => id < first), endMs };
}

/** IDs that digests list, from a time on. */
async function readListed(end: ChainEnd, sinceMs: number): Promise<Set<string>> {
  const first = firstIdOf(sinceMs);
  const hashes = new Set([end.hash]);
  for (const month of listMonths(sinceMs, Date.parse(end.to))) {
    for await (const item of readItems(digestPartition(month), spellTime(sinceMs))) {
      const digest = readDigest(item);
      if (digest && digest.chunks > 0) hashes.add(hashDigest(digest));
    }
  }
  const chunks = (await settleAll([...hashes].map((hash) => queryPartition(chunkPartition(hash))))).flat();
  const ids = chunks.flatMap(({ lines }) => (Array.isArray(lines) ? lines.map(String) : []));
  return new Set(ids.filter((line) => line >= first).map((line) => line.slice(0, line.indexOf(' '))));
}

export const writtenKeys: ListWrittenKeys = () => [
  { keys: digestPartition('*'), actions: ['PutItem'] },
  chainEndKey.pk,
];
