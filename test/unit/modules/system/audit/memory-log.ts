import { type ChainEnd, chainEndKey, createBeginning, signEnd } from '#modules/System/audit/chain-end.ts';
import {
  chunkPartition,
  createDigest,
  digestKey,
  digestPartition,
  toChainEnd,
  toLine,
} from '#modules/System/audit/digest.ts';
import type { StoredLog } from '#modules/System/audit/log-source.ts';
import { listCountPartitions } from '#shared/audit/counts.ts';
import type { AuditEvent, StoredEntry } from '#shared/audit/entry.ts';
import { auditPartition, createEntry, toAuditItem } from '#shared/audit/new-entry.ts';
import { auditEntries } from '#shared/audit/stored-entries.ts';
import type { Item, Key } from '#shared/db/items.ts';

const event: AuditEvent = {
  actor: { kind: 'admin', id: '01JA4Q2M7Z3V8XK5T9R6W1C0BD', account: 'root' },
  ...{ channel: 'api', action: 'article/edit', target: 'article:1', outcome: 'ok', code: 'ok' },
  ...{ fields: { id: '1', title: { length: 3 } }, request_id: 'r', address: '192.0.2.1' },
};

export const newEntry = (atMs: number, more: Partial<AuditEvent> = {}, days = 200): StoredEntry =>
  createEntry({ ...event, ...more }, days, atMs);

/** A log in memory. Tests change its items. */
export class MemoryLog implements StoredLog {
  items: Item[] = [];
  /** What is kept outside of the table. */
  kept: string | undefined;
  #end: ChainEnd | undefined;

  add(entry: StoredEntry): StoredEntry {
    this.items.push(JSON.parse(JSON.stringify(toAuditItem(entry))));
    return entry;
  }

  /** Begins as an installation does. */
  begin(at: number): void {
    this.kept = JSON.stringify(createBeginning(at));
  }

  /** Adds a digest that follows the last one. @param at when it is written, by its clock */
  close(from: number, to: number, entries: readonly StoredEntry[], at = to): void {
    const lines = [...entries].sort((a, b) => (a.id < b.id ? -1 : 1)).map(toLine);
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const clock = new Date(at).toISOString();
    const installed = (this.#end === undefined && this.kept !== undefined) || undefined;
    const { digest, head, chunks } = createDigest(this.#end, { ...range, at: clock, installed }, lines);
    this.#end = toChainEnd(digest);
    const end = signEnd(this.#end);
    this.items = this.items.filter((item) => !isEnd(item));
    this.items.push(head, ...chunks, { ...chainEndKey, ...end });
    this.kept = JSON.stringify(end);
  }

  #partition(pk: string): Item[] {
    const items = this.items.filter((item) => item.pk === pk);
    return items.sort((a, b) => (String(a.sk) < String(b.sk) ? -1 : 1));
  }

  #find({ pk, sk }: Key): Item | undefined {
    return this.items.find((item) => item.pk === pk && item.sk === sk);
  }

  async *entries(month: string, first = ''): AsyncGenerator<Item> {
    yield* this.#partition(auditPartition(month)).filter(({ sk }) => String(sk) >= first);
  }

  entry = async (id: string) => this.#find(auditEntries.key({ id }));
  digests = async (month: string) => this.#partition(digestPartition(month));
  digest = async (to: string) => this.#find(digestKey(to));
  chunks = async (hash: string) => this.#partition(chunkPartition(hash));
  end = async () => this.#find(chainEndKey);
  anchor = async () => this.kept;
  async *counts(day: string): AsyncGenerator<Item> {
    for (const pk of listCountPartitions(day)) yield* this.#partition(pk);
  }
  countsOf = async (keys: Key[]) => keys.map((key) => this.#find(key)).filter((item) => item !== undefined);
}

/** Whether an item is of the kind. */
export const isEntry = ({ pk }: Item): boolean => /^AUDIT#/.test(String(pk));
export const isDigest = ({ pk }: Item): boolean => /^AUDIT_DIGEST#\d{4}-\d\d$/.test(String(pk));
export const isChunk = ({ pk }: Item): boolean => /^AUDIT_DIGEST#.{20,}$/.test(String(pk));
export const isEnd = ({ pk }: Item): boolean => pk === chainEndKey.pk;
