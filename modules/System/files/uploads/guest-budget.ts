import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { toDay, toTimeOfDay } from '#shared/config/local-time.ts';
import { type UploadType, uploadTransport } from '#shared/config/upload.ts';
import { getItems, type Key, singleKey, type Write } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import { toCountedAddress } from '#shared/net/counted-address.ts';
import systemErrors from '../../errors.ts';

// Guests may store files for good, so what they store in a day is limited, by address and for the whole site. The
// counters are in the table: one transaction counts the bytes and begins the upload (decision 0032).

/** What guests may upload, and the bytes of a day. */
export interface GuestRules {
  allowed: 'off' | 'image' | 'all';
  addressBytes: number;
  siteBytes: number;
}

export const guestErrors = ['upload.guest_denied', 'upload.quota_exceeded'] as const;
export const guestErrorHeaders = { 'upload.quota_exceeded': ['retry-after'] };

/** Whose budget an upload uses. It is a part of the upload's record until the bytes are stored, or given back. */
export const guestShare = z.object({
  /** In the configured time zone. */
  day: z.string(),
  /** Hash of the counted address. */
  address: z.string(),
});
export type GuestShare = z.infer<typeof guestShare>;

/** The share of a guest, today. @param address the gateway's `sourceIp` */
export const toGuestShare = (address: string): GuestShare => ({
  day: toDay(),
  address: hash('sha256', toCountedAddress(address), 'base64url'),
});

/** @throws AppError `upload.guest_denied` if guests may not upload this type */
export function assertGuestAllowed(type: UploadType, { allowed }: GuestRules): void {
  const isAllowed = allowed === 'all' || (allowed === 'image' && type === 'image');
  if (!isAllowed) throw denyGuest();
}

export const denyGuest = (): AppError => systemErrors.create('upload.guest_denied');

const counterKey = ({ day }: GuestShare, who: string): Key => singleKey(`GUEST_UPLOADS#${day}#${who}`);
const site = 'site';
/** Both counters of a share: of the address, and of the site. */
const keysOf = (share: GuestShare): Key[] => [counterKey(share, share.address), counterKey(share, site)];

const daySeconds = 86_400;

function exceedQuota(): AppError {
  const [hours = 0, minutes = 0, seconds = 0] = toTimeOfDay().split(':').map(Number);
  const wait = daySeconds - (hours * 3600 + minutes * 60 + seconds);
  return systemErrors.create('upload.quota_exceeded', { headers: { 'retry-after': String(wait) } });
}

/**
 * The writes that count the bytes of an upload. Their condition is part of the transaction, so no number of requests at
 * the same time can exceed a budget.
 *
 * @throws AppError `upload.quota_exceeded`, also by the refusals of the writes
 */
export function takeBytes(share: GuestShare, bytes: number, rules: GuestRules): Write[] {
  const limits = [rules.addressBytes, rules.siteBytes];
  // An absent counter passes every condition.
  if (limits.some((limit) => bytes > limit)) throw exceedQuota();
  const ttl = Math.floor(Date.now() / 1000) + 2 * daySeconds + uploadTransport.graceSeconds;
  return keysOf(share).map((key, index) => {
    const atMost = { bytes: (limits[index] ?? 0) - bytes };
    return changeItem(key, { add: { bytes }, set: { [ttlAttribute]: ttl }, atMost }, exceedQuota);
  });
}

/** The writes that give the bytes of a failed upload back; none after its day. */
export const returnBytes = (share: GuestShare, bytes: number): Write[] =>
  share.day === toDay() ? keysOf(share).map((key) => changeItem(key, { add: { bytes: -bytes } })) : [];

/** The bytes that are counted for a share: of its address, and of the site. */
export async function readSpentBytes(share: GuestShare): Promise<number[]> {
  const items = await getItems(keysOf(share));
  return keysOf(share).map(({ pk }) => Number(items.find((item) => item.pk === pk)?.bytes ?? 0));
}

/** @throws AppError `upload.quota_exceeded` if so many bytes would be refused now */
export function assertBytesLeft(spent: readonly number[], bytes: number, rules: GuestRules): void {
  const limits = [rules.addressBytes, rules.siteBytes];
  if (limits.some((limit, index) => (spent[index] ?? 0) + bytes > limit)) throw exceedQuota();
}
