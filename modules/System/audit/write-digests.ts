import { decodeTime, isValid } from 'ulid';
import { settleAll } from '#shared/async/settle-all.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { verifyAuditItem } from '#shared/audit/stored-entries.ts';
import { holds, type Item, queryPage, queryPartition, transact } from '#shared/db/items.ts';
import { firstIdOf } from '#shared/db/paging/creation-range.ts';
import { putItem, putNew } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { log } from '#shared/log/log.ts';
import { type ChainEnd, chainEndKey, signEnd } from './chain-end.ts';
import { type ChainState, moveAnchor, moveEnd, readChainState } from './chain-state.ts';
import {
  type CountLine,
  chunkPartition,
  createDigest,
  type Digest,
  type DigestLine,
  digestPartition,
  hashDigest,
  isCountText,
  lateMs,
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

export interface DigestOptions {
  /** End of the time to cover, in Unix milliseconds. @default now */
  toMs?: number;
  /** Asked before each digest: true ends the work. */
  isOver?(): boolean;
  /** Most entries of one digest; what is above is left to the next. */
  maxEntries?: number;
  /** Counted events, for the first digest. */
  counts?: readonly CountLine[];
  /** Where the first digest goes. @default as found now */
  state?: ChainState;
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
  counts = [],
  state: found,
}: DigestOptions = {}): Promise<Digest[]> {
  const written: Digest[] = [];
  let state = found ?? (await readChainState(toMs));
  let { end } = state;
  // The run before may have ended between its digest and the anchor.
  if (end) await moveAnchor(state.anchor, end);
  let fromMs = end ? Date.parse(end.to) : await findFirstTime(toMs);
  // The clock of the last digest was ahead: one of a millisecond lists what came since.
  const firstUntilMs = end && Date.parse(end.to) > toMs ? Date.parse(end.to) + 1 : toMs;
  while (fromMs !== undefined && fromMs < firstUntilMs && !isOver()) {
    const untilMs = Math.min(firstUntilMs, startOfMonth(monthOf(fromMs), 1));
    const listed = written.length === 0 ? counts : [];
    const span = { fromMs, untilMs, nowMs: toMs };
    const lines = await readNewLines(end, span, maxEntries);
    const digest = await writeDigest(state, span, { ...lines, counts: listed });
    if (!digest) return written;
    written.push(digest);
    // A copy of these lines in another store proves that digests were replaced (docs/audit.md).
    log.info('audit.digest', {
      from: digest.from,
      to: digest.to,
      sequence: digest.sequence,
      number: digest.number,
      hash: hashDigest(digest),
    });
    end = toChainEnd(digest);
    await moveAnchor(state.anchor, end);
    state = { ...state, end, stored: { ...signEnd(end) } };
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

const toIsoTime = (time: number): string => new Date(time).toISOString();

/** @returns undefined if another run has written a digest meanwhile, or if a digest after the clock would be empty */
async function writeDigest(
  { end, isInstalled, stored }: ChainState,
  span: Span,
  { lines, endMs, counts }: { lines: DigestLine[]; endMs: number; counts: readonly CountLine[] },
): Promise<Digest | undefined> {
  if (span.fromMs >= span.nowMs && lines.length === 0) return undefined;
  const range = { from: toIsoTime(span.fromMs), to: toIsoTime(endMs), at: toIsoTime(span.nowMs) };
  const installed = isInstalled || undefined;
  const { digest, head, chunks } = createDigest(end, { ...range, installed }, lines, counts);
  await putChunks(chunks);
  const move = moveEnd(toChainEnd(digest), stored);
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
    for await (const item of readItems(digestPartition(month), toIsoTime(sinceMs))) {
      const digest = readDigest(item);
      if (digest && digest.chunks > 0) hashes.add(hashDigest(digest));
    }
  }
  const chunks = (await settleAll([...hashes].map((hash) => queryPartition(chunkPartition(hash))))).flat();
  const texts = chunks.flatMap(({ lines }) => (Array.isArray(lines) ? lines.map(String) : []));
  const ids = texts.filter((line) => !isCountText(line));
  return new Set(ids.filter((line) => line >= first).map((line) => line.slice(0, line.indexOf(' '))));
}

export const writtenKeys: ListWrittenKeys = () => [
  { keys: digestPartition('*'), actions: ['PutItem'] },
  chainEndKey.pk,
];
