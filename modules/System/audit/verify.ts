import { decodeTime } from 'ulid';
import type { StoredEntry } from '#shared/audit/entry.ts';
import { verifyAuditItem } from '#shared/audit/stored-entries.ts';
import type { Item } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import {
  type Digest,
  type DigestLine,
  firstIdOf,
  hashDigest,
  lateMs,
  monthOf,
  readDigest,
  readLines,
  startOfMonth,
} from './digest.ts';
import { blameDigest, blameEntry, type Finding, type Notice } from './findings.ts';

/** The stored log, to verify it. */
export interface StoredLog {
  /** Items of a month's entries, in the order of their keys. */
  entries(month: string): AsyncIterable<Item>;
  entry(id: string): Promise<Item | undefined>;
  /** Digests of a month, in the order of their ends. */
  digests(month: string): Promise<Item[]>;
  /** The digest that ends at a time. */
  digest(to: string): Promise<Item | undefined>;
  /** Chunks of the digest with a hash, in their order. */
  chunks(hash: string): Promise<Item[]>;
}

interface Verification {
  /** The first in the order of time; undefined if nothing is wrong. */
  finding: Finding | undefined;
  /** In the order in which they are found. */
  notices: Notice[];
  /** Entries that were checked. */
  entries: number;
  /** Digests that were checked. */
  digests: number;
  /** The last digest: its end, and its hash for a comparison with the logged one. */
  last: { to: string; hash: string } | undefined;
}

/** A digest is due this long after the end of the one before, in milliseconds. */
const dueMs = 2 * 3_600_000;

/**
 * Verifies the log of a month: every entry by its MAC, and all of them by the digests. What has expired may be
 * missing. A genuine entry may be absent from the digest of its time, because only this service can write one: it was
 * stored late, or a clock was wrong. More than a minute is a notice.
 *
 * @param now Unix milliseconds
 */
export async function verifyMonth(month: string, log: StoredLog, now = Date.now()): Promise<Verification> {
  const walk = new Walk(month, log, now);
  const finding = await walk.run();
  const { notices, entries, digests, before } = walk;
  return { finding, notices, entries, digests, last: before && { to: before.to, hash: hashDigest(before) } };
}

class Walk {
  entries = 0;
  digests = 0;
  readonly notices: Notice[] = [];
  /** The digest before the current one. */
  before: Digest | undefined;
  readonly #month: string;
  readonly #log: StoredLog;
  readonly #now: number;
  readonly #items: Stream;
  /** Genuine entries that the digest of their time does not list, with its end. A later one lists them. */
  readonly #late = new Map<string, { entry: StoredEntry; endMs: number }>();
  /** Time of the first entry, in Unix milliseconds. */
  #startMs: number | undefined;

  constructor(month: string, log: StoredLog, now: number) {
    this.#month = month;
    this.#log = log;
    this.#now = now;
    this.#items = new Stream(log.entries(month));
  }

  async run(): Promise<Finding | undefined> {
    for (const item of await this.#log.digests(this.#month)) {
      const digest = readDigest(item);
      if (!digest) return blameDigest(String(item.sk), item);
      const finding = (await this.#checkLink(digest)) ?? (await this.#checkDigest(digest));
      if (finding) return finding;
      this.digests += 1;
      this.before = digest;
    }
    const finding = (await this.#checkRest()) ?? (await this.#findMissingDigest());
    for (const [id, { endMs }] of this.#late) this.#noteEntry('entry_unlisted', id, endMs);
    return finding;
  }

  /** Whether a digest follows the one before. */
  async #checkLink(digest: Digest): Promise<Finding | undefined> {
    const { from, previous, previous_ttl } = digest;
    if (this.before && this.before.to > from) return { kind: 'digest_changed', place: digest.to };
    const isNext = this.before?.to === from;
    const item = isNext ? this.before : await this.#log.digest(from);
    if (previous === null) {
      const isFirst = !this.before && !item && !(await this.#hasDigestBefore());
      return isFirst ? undefined : { kind: 'digest_removed', place: from };
    }
    if (!item) {
      return this.#isExpired(previous_ttl ?? 0) ? undefined : { kind: 'digest_removed', place: from };
    }
    const found = isNext ? this.before : readDigest(Object(item));
    const isSame = found && hashDigest(found) === previous;
    return isSame
      ? undefined
      : found
        ? { kind: 'digest_changed', place: from }
        : blameDigest(from, Object(item));
  }

  async #hasDigestBefore(): Promise<boolean> {
    return (await this.#log.digests(monthOf(startOfMonth(this.#month, -1)))).length > 0;
  }

  /** The entries of a digest's time. */
  async #checkDigest(digest: Digest): Promise<Finding | undefined> {
    const { from, to, at = to } = digest;
    const isAfterAhead = at < from;
    if (isAfterAhead) this.#note('digest_ahead', from, Date.parse(from) - Date.parse(at));
    const early = await this.#checkUnlisted(Date.parse(from));
    if (early) return early;
    // An expired digest lists only entries that have expired, and DynamoDB may have deleted some chunks.
    const isExpired = this.#isExpired(digest[ttlAttribute]);
    const lines =
      readLines(digest, await this.#log.chunks(hashDigest(digest))) ?? (isExpired ? [] : undefined);
    if (!lines) return { kind: 'digest_changed', place: to };
    const start = firstIdOf(Date.parse(from));
    const late = lines.filter(({ id }) => id < start);
    const finding = await this.#checkLate(late);
    if (finding) return finding;
    if (!isAfterAhead) for (const { id } of late) this.#noteEntry('entry_misdated', id, Date.parse(from));
    for (const line of lines.slice(late.length)) {
      const unlisted = await this.#checkUnlisted(Date.parse(to), line.id);
      if (unlisted) return unlisted;
      const item = await this.#items.peek();
      const isFound = item?.sk === line.id;
      const wrong = this.#compare(line, isFound ? item : undefined);
      if (wrong) return wrong;
      if (isFound) this.#pass();
    }
    return this.#checkUnlisted(Date.parse(to));
  }

  async #checkLate(lines: readonly DigestLine[]): Promise<Finding | undefined> {
    for (const line of lines) {
      const isSame = this.#late.get(line.id)?.entry.mac === line.mac;
      const finding = isSame ? undefined : this.#compare(line, await this.#log.entry(line.id));
      if (finding) return finding;
      this.#late.delete(line.id);
    }
    return undefined;
  }

  /** Compares an entry with its line in a digest. */
  #compare({ id, expires, mac }: DigestLine, item: Item | undefined): Finding | undefined {
    if (!item) return this.#isExpired(expires) ? undefined : { kind: 'entry_removed', place: id };
    const isSame = verifyAuditItem(item)?.mac === mac;
    return isSame ? undefined : blameEntry('entry_changed', id, item);
  }

  /**
   * Checks entries that no digest lists, below an ID.
   *
   * @param endMs end of the digest's time
   */
  async #checkUnlisted(endMs: number, below = firstIdOf(endMs)): Promise<Finding | undefined> {
    for (let item = await this.#items.peek(); item; item = await this.#items.peek()) {
      const id = String(item.sk);
      if (id >= below) return undefined;
      const entry = verifyAuditItem(item);
      if (!entry) return blameEntry('entry_inserted', id, item);
      if (!this.#isExpired(entry[ttlAttribute])) this.#late.set(id, { entry, endMs });
      this.#pass();
    }
    return undefined;
  }

  /** Entries after the last digest. */
  async #checkRest(): Promise<Finding | undefined> {
    for (let item = await this.#items.peek(); item; item = await this.#items.peek()) {
      const id = String(item.sk);
      if (!verifyAuditItem(item)) return blameEntry('entry_changed', id, item);
      this.#startMs ??= decodeTime(id);
      this.#pass();
    }
    return undefined;
  }

  async #findMissingDigest(): Promise<Finding | undefined> {
    const [start, end] = [startOfMonth(this.#month), startOfMonth(this.#month, 1)];
    const coveredMs = this.before ? Date.parse(this.before.to) : await this.#findStart(start, end);
    const dueUntil = Math.min(this.#now - dueMs, end);
    if (coveredMs === undefined || coveredMs >= dueUntil) return undefined;
    return { kind: 'digest_missing', place: new Date(coveredMs).toISOString() };
  }

  /** Where the first digest of a month without any has to begin; undefined if the log is empty. */
  async #findStart(startMs: number, endMs: number): Promise<number | undefined> {
    const before = await this.#log.digest(new Date(startMs).toISOString());
    if (before) return startMs;
    const [after] = await this.#log.digests(monthOf(endMs));
    const next = after && readDigest(after);
    if (next && next.previous !== null && !this.#isExpired(next.previous_ttl ?? 0)) return startMs;
    return this.#startMs;
  }

  /** Notes an entry that is more than a minute older than a digest that should not have missed it. */
  #noteEntry(kind: Notice['kind'], id: string, digestMs: number): void {
    const byMs = digestMs - decodeTime(id);
    if (byMs > lateMs) this.#note(kind, id, byMs);
  }

  #note(kind: Notice['kind'], place: string, byMs: number): void {
    this.notices.push({ kind, place, byMs });
  }

  #isExpired(seconds: number): boolean {
    return seconds * 1000 <= this.#now;
  }

  #pass(): void {
    this.entries += 1;
    this.#items.pass();
  }
}

/** Items of an iterable, one at a time. */
class Stream {
  readonly #iterator: AsyncIterator<Item>;
  #next: Promise<IteratorResult<Item>> | undefined;

  constructor(items: AsyncIterable<Item>) {
    this.#iterator = items[Symbol.asyncIterator]();
  }

  /** The next item; undefined at the end. */
  async peek(): Promise<Item | undefined> {
    this.#next ??= this.#iterator.next();
    const { done, value } = await this.#next;
    return done ? undefined : value;
  }

  pass(): void {
    this.#next = undefined;
  }
}
