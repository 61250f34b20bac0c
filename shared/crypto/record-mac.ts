import { createHmac } from 'node:crypto';
import { isEqual } from './equal.ts';
import { type DerivedKey, deriveKeys } from './keys.ts';

/**
 * Authenticates a record of JSON values: `<key id>.<HMAC-SHA-256, base64url>`. The order of its keys does not matter.
 *
 * @param purpose of the key, see `deriveKeys`
 * @param record without its MAC
 */
export function createRecordMac(purpose: string, record: object): string {
  return formatMac(deriveKeys(purpose)[0], record);
}

/** Whether one of our keys made this MAC for this record. */
export function isRecordMac(purpose: string, record: object, mac: string): boolean {
  return deriveKeys(purpose).some((key) => isEqual(mac, formatMac(key, record)));
}

/** The key ID of a MAC that none of our keys made; undefined if the key is ours, or if the text is no MAC. */
export function findUnknownKey(purpose: string, mac: unknown): string | undefined {
  const id = /^([\w-]{8})\./.exec(String(mac))?.[1];
  return deriveKeys(purpose).some((key) => key.id === id) ? undefined : id;
}

function formatMac({ id, secret }: DerivedKey, record: object): string {
  return `${id}.${createHmac('sha256', secret).update(toCanonicalJson(record)).digest('base64url')}`;
}

/** JSON with the keys of every object in the order of their UTF-16 units. */
function toCanonicalJson(record: object): string {
  return JSON.stringify(record, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
