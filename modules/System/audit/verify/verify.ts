import { decodeTime } from 'ulid';
import { verifyAuditItem } from '#shared/audit/stored-entries.ts';
import type { Item } from '#shared/db/items.ts';
import { firstIdOf } from '#shared/db/paging/creation-range.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { type Digest, type DigestLine, hashDigest, lateMs, readDigest, readLines } from '../digest.ts';
import { ItemStream, type StoredLog } from '../log-source.ts';
import { type Finding, type Notice, toDigestFinding, toEntryFinding } from './findings.ts';
import { checkCounts, compareCounts } from './verify-counts.ts';
import { findBrokenLink } from './verify-link.ts';
import { findMissingDigest } from './verify-missing.ts';

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
  /** End of the last digest that was checked, if the work had to end before the rest. */
  stoppedAt: string | undefined;
}

interface VerifyOptions {
  /** Goes on after the digest that ends at this time. */
  after?: string | undefined;
  /** Asked after each digest: true ends the work. */
  isOver?(): boolean;
}

/**
 * Verifies the log of a month: every entry by its MAC, and all of them by the digests. What has expired may be
 * missing. A genuine entry may be absent from the digest of its time, because only this service can write one: it was
 * stored late, or a clock was wrong. More than a minute is a notice.
 *
 * @param now Unix milliseconds
 */
export async function verifyMonth(
  month: string,
  log: StoredLog,
  now = Date.now(),
  options: VerifyOptions = {},
): Promise<Verification> {
  const walk = new Walk(month, log, now, options);
  const finding = await walk.run();
  const { notices, entries, digests, before, stoppedAt } = walk;
  const last = before && { to: before.to, hash: hashDigest(before) };
  return { finding, notices, entries, digests, last, stoppedAt };
}

class Walk {
  entries = 0;
  digests = 0;
  readonly notices: Notice[] = [];
  /** The digest before the current one. */
  before: Digest | undefined;
  stoppedAt: string | undefined;
  readonly #month: string;
  readonly #log: StoredLog;
  readonly #now: number;
  readonly #items: ItemStream;
  /** Genuine entries that the digest of their time does not list, with its end. A later one lists them. */
  readonly #late = new Map<string, { mac: string; endMs: number }>();
  readonly #options: VerifyOptions;
  /** What is wrong with the beginning of the log. Anything else is named first. */
  #beginning: Finding | undefined;
  /** Time of the first entry, in Unix milliseconds. */
  #startMs: number | undefined;

  constructor(month: string, log: StoredLog, now: number, options: VerifyOptions) {
    this.#month = month;
    this.#log = log;
    this.#now = now;
    this.#options = options;
    const { after } = options;
    this.#items = new ItemStream(log.entries(month, after && firstIdOf(Date.parse(after))));
  }

  async run(): Promise<Finding | undefined> {
    const { after = '', isOver = () => false } = this.#options;
    for (const item of await this.#log.digests(this.#month)) {
      const digest = readDigest(item);
      if (!digest) return toDigestFinding(String(item.sk), item);
      const isChecked = digest.to <= after;
      const finding = isChecked
        ? undefined
        : ((await this.#checkLink(digest)) ?? (await this.#checkDigest(digest)));
      if (finding) return finding;
      if (!isChecked) this.digests += 1;
      this.before = digest;
      if (isChecked || !isOver()) continue;
      this.stoppedAt = digest.to;
      return this.#beginning;
    }
    const finding =
      (await this.#checkRest()) ??
      (await this.#findMissing()) ??
      (await checkCounts(this.#log, this.#month)) ??
      this.#beginning;
    for (const [id, { endMs }] of this.#late) this.#noteEntry('entry_unlisted', id, endMs);
    return finding;
  }

  async #checkLink(digest: Digest): Promise<Finding | undefined> {
    const finding = await findBrokenLink(this.#log, this.#month, digest, this.before, this.#now);
    if (finding?.kind !== 'begins_late') return finding;
    this.#beginning = finding;
    return undefined;
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
    const listed =
      readLines(digest, await this.#log.chunks(hashDigest(digest))) ??
      (isExpired ? { entries: [], counts: [] } : undefined);
    if (!listed) return { kind: 'digest_changed', location: to };
    const lines = listed.entries;
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
    return (
      (await this.#checkUnlisted(Date.parse(to))) ??
      (await compareCounts(this.#log, listed.counts, this.#now))
    );
  }

  async #checkLate(lines: readonly DigestLine[]): Promise<Finding | undefined> {
    for (const line of lines) {
      const isSame = this.#late.get(line.id)?.mac === line.mac;
      const finding = isSame ? undefined : this.#compare(line, await this.#log.entry(line.id));
      if (finding) return finding;
      this.#late.delete(line.id);
    }
    return undefined;
  }

  /** Compares an entry with its line in a digest. */
  #compare({ id, expires, mac }: DigestLine, item: Item | undefined): Finding | undefined {
    if (!item) return this.#isExpired(expires) ? undefined : { kind: 'entry_removed', location: id };
    const isSame = verifyAuditItem(item)?.mac === mac;
    return isSame ? undefined : toEntryFinding('entry_changed', id, item);
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
      if (!entry) return toEntryFinding('entry_inserted', id, item);
      if (!this.#isExpired(entry[ttlAttribute])) this.#late.set(id, { mac: entry.mac, endMs });
      this.#pass();
    }
    return undefined;
  }

  /** Entries after the last digest. */
  async #checkRest(): Promise<Finding | undefined> {
    for (let item = await this.#items.peek(); item; item = await this.#items.peek()) {
      const id = String(item.sk);
      if (!verifyAuditItem(item)) return toEntryFinding('entry_changed', id, item);
      this.#startMs ??= decodeTime(id);
      this.#pass();
    }
    return undefined;
  }

  #findMissing(): Promise<Finding | undefined> {
    const covered = this.before && Date.parse(this.before.to);
    return findMissingDigest(this.#log, this.#month, { covered, startMs: this.#startMs, now: this.#now });
  }

  /** Notes an entry that is more than a minute older than a digest that should not have missed it. */
  #noteEntry(kind: Notice['kind'], id: string, digestMs: number): void {
    const byMs = digestMs - decodeTime(id);
    if (byMs > lateMs) this.#note(kind, id, byMs);
  }

  #note(kind: Notice['kind'], location: string, byMs: number): void {
    this.notices.push({ kind, location, byMs });
  }

  #isExpired(seconds: number): boolean {
    return seconds * 1000 <= this.#now;
  }

  #pass(): void {
    this.entries += 1;
    this.#items.pass();
  }
}
