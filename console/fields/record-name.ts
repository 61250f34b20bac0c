import { shortenId } from './format.ts';
import { readMember } from './kind.ts';

/** Fields that name a record, the best first. */
export const nameFields = ['title', 'name', 'nickname', 'account'];

/** The title or name of a record, or of what was sent for it; undefined without one. */
export const readName = (record: unknown): string | undefined =>
  nameFields
    .map((field) => readMember(record, field))
    .find((value): value is string => typeof value === 'string' && value !== '');

/** What a person calls a record: its title or name, else its keys. @param keys fields that identify a record */
export function recordName(record: unknown, keys: readonly string[] = ['id']): string {
  return readName(record) ?? keys.map((key) => shortenId(String(readMember(record, key) ?? ''))).join(' · ');
}
