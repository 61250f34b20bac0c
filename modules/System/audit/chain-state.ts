import { type Anchor, openAnchor } from '#shared/audit/anchor.ts';
import { getItem, type Item, type Write } from '#shared/db/items.ts';
import { putItem, putNew } from '#shared/db/writes.ts';
import { log } from '#shared/log/log.ts';
import {
  type ChainEnd,
  chainEndKey,
  createBeginning,
  type ReadEnd,
  readAnchorText,
  readEnd,
  signEnd,
} from './chain-end.ts';
import { digestKey, hashDigest, leastSeconds, longestSeconds, readDigest, toChainEnd } from './digest.ts';

/** Where the next digest goes. */
export interface ChainState {
  /** The end that it follows; undefined for the first digest. */
  end: ChainEnd | undefined;
  /** Whether the installation has begun the log. */
  isInstalled: boolean;
  /** The item of the end, as stored. */
  stored: Item | undefined;
  anchor: Anchor;
}

/** Begins the log of a new installation, unless it has begun. */
export async function beginLog(atMs = Date.now()): Promise<void> {
  const anchor = await openAnchor();
  if ((await anchor.read()) === undefined) await anchor.write(JSON.stringify(createBeginning(atMs)));
}

/**
 * Finds the end of the chain. The chain never goes back behind its anchor: if the table says less, digests were
 * removed, which raises the alarm, and the next digest follows the anchor.
 *
 * @param nowMs Unix milliseconds
 */
export async function readChainState(nowMs = Date.now()): Promise<ChainState> {
  const anchor = await openAnchor();
  // The anchor is read first: the table may be ahead of it, but never behind.
  const text = await anchor.read();
  const stored = await getItem(chainEndKey);
  const [kept, item] = [text === undefined ? undefined : readAnchorText(text), stored && readEndItem(stored)];
  warn(kept, item);
  const found = choose(kept, item);
  const end = found && found.hash !== '' ? await checkLast(found, nowMs) : undefined;
  return { end, isInstalled: kept?.state === 'genuine' && kept.end.sequence === 0, stored, anchor };
}

/** The end of the chain; undefined if the log has no digest. */
export const readChainEnd = async (nowMs?: number): Promise<ChainEnd | undefined> =>
  (await readChainState(nowMs)).end;

/** Reads and checks the item of the end. */
export function readEndItem({ pk: _pk, sk: _sk, ...record }: Item): ReadEnd {
  return readEnd(record);
}

/** The write that moves the end. It fails if another run has moved it. */
export function moveEnd(next: ChainEnd, stored: Item | undefined): Write {
  const item = { ...chainEndKey, ...signEnd(next) };
  return stored ? putItem(item, { expect: { mac: stored.mac, hash: stored.hash } }) : putNew(item);
}

/** Moves the anchor, never back. @param end was stored in the table */
export async function moveAnchor(anchor: Anchor, end: ChainEnd): Promise<void> {
  const text = await anchor.read();
  const kept = text === undefined ? undefined : readAnchorText(text);
  if (kept?.state === 'genuine' && kept.end.sequence >= end.sequence) return;
  await anchor.write(JSON.stringify(signEnd(end)));
}

/** Each line raises the alarm of the audit log. */
function warn(kept: ReadEnd | undefined, item: ReadEnd | undefined): void {
  for (const [where, read] of [
    ['anchor', kept],
    ['table', item],
  ] as const) {
    if (read?.state === 'changed') log.error('audit.end_changed', { where });
    if (read?.state === 'unknown_key') log.error('audit.end_key_unknown', { where, key: read.key });
  }
  if (!kept && item && item.state !== 'unsigned') log.error('audit.anchor_missing');
  if (!kept || kept.state === 'changed') return;
  const { sequence, hash } = kept.end;
  const number = item && item.state !== 'changed' ? item.end.sequence : 0;
  const isOther = number === sequence && sequence > 0 && item?.state === 'genuine' && item.end.hash !== hash;
  if (number < sequence || isOther) log.error('audit.number_fell', { number, anchored: sequence });
}

/** The later of both. What is not genuine counts only if nothing else is left. */
function choose(kept: ReadEnd | undefined, item: ReadEnd | undefined): ChainEnd | undefined {
  for (const state of ['genuine', 'unknown_key', 'unsigned'] as const) {
    // An item without a MAC is older than anchors.
    const ends = [kept, state === 'unsigned' && kept ? undefined : item].flatMap((read) =>
      read?.state === state ? read.end : [],
    );
    const [first, second] = ends;
    if (first) return second && second.sequence > first.sequence ? second : first;
  }
  return undefined;
}

/** Takes hash and expiry from the last digest itself, if it is as it was written. */
async function checkLast(end: ChainEnd, nowMs: number): Promise<ChainEnd> {
  const stored = await getItem(digestKey(end.to));
  const digest = stored && readDigest(stored);
  if (digest && hashDigest(digest) === end.hash) return toChainEnd(digest);
  const expires = Math.max(end.expires, Math.floor(Date.parse(end.to) / 1000) + leastSeconds);
  if (!stored && expires * 1000 <= nowMs) return end;
  // Removed or changed: `audit:verify` names it for as long as there is a digest after it.
  log.error('audit.digest_invalid', { to: end.to });
  return { ...end, expires: Math.floor(nowMs / 1000) + longestSeconds };
}
