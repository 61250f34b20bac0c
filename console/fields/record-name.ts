import { shortenId } from './format.ts';
import { readMember } from './kind.ts';

/** Fields that name a record, the best first. */
export const nameFields = ['title', 'name', 'nickname', 'account'];

/** What a person calls a record: its title or name, else its keys. @param keys fields that identify a record */
export function recordName(record: unknown, keys: readonly string[] = ['id']): string {
  for (const field of nameFields) {
    const value = readMember(record, field);
    if (typeof value === 'string' && value !== '') return value;
  }
  return keys.map((key) => shortenId(String(readMember(record, key) ?? ''))).join(' · ');
}
