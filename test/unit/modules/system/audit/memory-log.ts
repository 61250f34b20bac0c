import {
  type ChainEnd,
  chunkPartition,
  createDigest,
  digestKey,
  digestPartition,
  toChainEnd,
  toLine,
} from '#modules/System/audit/digest.ts';
import type { StoredLog } from '#modules/System/audit/verify.ts';
import type { AuditEvent, StoredEntry } from '#shared/audit/entry.ts';
import { auditPartition, createEntry, toAuditItem } from '#shared/audit/new-entry.ts';
import { auditEntries } from '#shared/audit/stored-entries.ts';
import type { Item } from '#shared/db/items.ts';

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
  #end: ChainEnd | undefined;

  add(entry: StoredEntry): StoredEntry {
    this.items.push(JSON.parse(JSON.stringify(toAuditItem(entry))));
    return entry;
  }

  /** Adds a digest that follows the last one. @param at when it is written, by its clock */
  close(from: number, to: number, entries: readonly StoredEntry[], at = to): void {
    const lines = [...entries].sort((a, b) => (a.id < b.id ? -1 : 1)).map(toLine);
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const clock = new Date(at).toISOString();
    const { digest, head, chunks } = createDigest(this.#end, { ...range, at: clock }, lines);
    this.items.push(head, ...chunks);
    this.#end = toChainEnd(digest);
  }

  #partition(pk: string): Item[] {
    const items = this.items.filter((item) => item.pk === pk);
    return items.sort((a, b) => (String(a.sk) < String(b.sk) ? -1 : 1));
  }

  #find({ pk, sk }: { pk: string; sk: string }): Item | undefined {
    return this.items.find((item) => item.pk === pk && item.sk === sk);
  }

  async *entries(month: string): AsyncGenerator<Item> {
    yield* this.#partition(auditPartition(month));
  }

  entry = async (id: string) => this.#find(auditEntries.key({ id }));
  digests = async (month: string) => this.#partition(digestPartition(month));
  digest = async (to: string) => this.#find(digestKey(to));
  chunks = async (hash: string) => this.#partition(chunkPartition(hash));
}

/** Whether an item is of the kind. */
export const isEntry = ({ pk }: Item): boolean => /^AUDIT#/.test(String(pk));
export const isDigest = ({ pk }: Item): boolean => /^AUDIT_DIGEST#\d{4}-\d\d$/.test(String(pk));
export const isChunk = ({ pk }: Item): boolean => /^AUDIT_DIGEST#.{20,}$/.test(String(pk));
