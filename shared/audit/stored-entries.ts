import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { findUnknownKey, isRecordMac } from '#shared/crypto/record-mac.ts';
import { defineEntity } from '#shared/db/entity.ts';
import type { Item } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { auditEntry, type StoredEntry } from './entry.ts';
import { auditKeyPurpose, storedEntry, toAuditItem } from './new-entry.ts';

/** Numbers of JSON may be larger than the table stores, so the fields are one text. */
const storedFields = z.pipe(
  z.string(),
  z.transform((text): Record<string, unknown> => JSON.parse(text)),
);

/** Entries of the audit log. */
export const auditEntries = defineEntity({
  ...storedEntry,
  row: z.object({ ...auditEntry.shape, fields: storedFields, [ttlAttribute]: z.int() }),
  missing: () => new AppError('audit.not_found'),
});

/**
 * Reads an item of the log and checks all of it: its MAC, and the keys that follow from the content.
 *
 * @returns undefined if this service did not write the item as it is
 */
export function verifyAuditItem(item: Item): StoredEntry | undefined {
  const entry = readEntry(item);
  if (!entry) return undefined;
  const { mac, ...content } = entry;
  const isGenuine =
    isRecordMac(auditKeyPurpose, content, mac) && isDeepStrictEqual({ ...toAuditItem(entry) }, { ...item });
  return isGenuine ? entry : undefined;
}

/** The ID of the key of a stored entry, if this service does not have it. */
export const findEntryKey = ({ mac }: Item): string | undefined => findUnknownKey(auditKeyPurpose, mac);

function readEntry(item: Item): StoredEntry | undefined {
  try {
    return z.parse(auditEntries.row, item);
  } catch {
    return undefined; // Not an entry of ours: the caller names it.
  }
}

/** Entries are read here. */
export const writtenKeys: ListWrittenKeys = () => [];
