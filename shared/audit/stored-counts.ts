import { findUnknownKey, isRecordMac } from '#shared/crypto/record-mac.ts';
import type { Item } from '#shared/db/items.ts';
import { countKeyPurpose } from './counts.ts';

/** Whether this service wrote a count as it is. @param content without the MAC and what the job adds */
export const isCountGenuine = (content: object, mac: string): boolean =>
  isRecordMac(countKeyPurpose, content, mac);

/** The ID of the key of a stored count, if this service does not have it. */
export const findCountKey = ({ mac }: Item): string | undefined => findUnknownKey(countKeyPurpose, mac);
