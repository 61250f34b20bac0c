import { type ChainEnd, type ReadEnd, readAnchorText } from '../chain-end.ts';
import { readEndItem } from '../chain-state.ts';
import { hashDigest, readDigest } from '../digest.ts';
import type { StoredLog } from '../log-source.ts';
import { type Finding, toDigestFinding } from './findings.ts';

/**
 * Verifies the end of the log: the table must not say less than what is kept outside of it.
 *
 * @param now Unix milliseconds
 */
export async function verifyEnd(log: StoredLog, now = Date.now()): Promise<Finding | undefined> {
  // The anchor is read first: a digest may be written meanwhile.
  const text = await log.anchor();
  const item = await log.end();
  const stored = item && readEndItem(item);
  if (text === undefined) return stored && { kind: 'anchor_missing', location: locationOf(stored) };
  const kept = readAnchorText(text);
  if (kept.state !== 'genuine') return toEndFinding('anchor', kept, '');
  const { end } = kept;
  if (!stored) return end.sequence === 0 ? undefined : { kind: 'end_removed', location: end.to };
  if (stored.state !== 'genuine') return toEndFinding('end', stored, end.to);
  const isBehind = stored.end.sequence < end.sequence;
  const isOther = stored.end.sequence === end.sequence && stored.end.hash !== end.hash;
  if (isBehind || isOther) return { kind: 'end_reset', location: end.to };
  return (await findWrongDigest(log, end, now)) ?? (await findWrongDigest(log, stored.end, now));
}

/** Whether the last digest is in the table. */
async function findWrongDigest(
  log: StoredLog,
  { to, hash, expires }: ChainEnd,
  now: number,
): Promise<Finding | undefined> {
  if (hash === '') return undefined;
  const item = await log.digest(to);
  if (!item) return expires * 1000 <= now ? undefined : { kind: 'digest_removed', location: to };
  const digest = readDigest(item);
  if (!digest) return toDigestFinding(to, item);
  return hashDigest(digest) === hash ? undefined : { kind: 'digest_changed', location: to };
}

const locationOf = (read: ReadEnd): string => ('end' in read ? read.end.to : '');

/** @param location of the end; empty to take that of the record itself */
const toEndFinding = (what: 'anchor' | 'end', read: ReadEnd, location: string): Finding => ({
  kind: read.state === 'unknown_key' ? `${what}_key_unknown` : `${what}_changed`,
  location: location || locationOf(read),
  ...(read.state === 'unknown_key' && { key: read.key }),
});
