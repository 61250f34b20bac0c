import type { ListQuery } from '../jobs/list-files.ts';
import { Refusal } from '../jobs/refusal.ts';
import type { UploadFields } from '../jobs/upload-file.ts';

// Checks by hand, without `../schemas`: a library would only slow a bare handler down.

/** Keys of dictionaries. @throws Refusal 422 */
export function toTypeKeys(type = ''): string[] {
  if (!/^[a-z][a-z0-9_]*(,[a-z][a-z0-9_]*){0,49}$/.test(type)) throw new Refusal(422, 'no keys');
  return type.split(',');
}

/** Which page of a list. @throws Refusal 422 */
export function toListQuery({ limit = '20', cursor }: Record<string, string | undefined> = {}): ListQuery {
  const isFit = /^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100;
  if (!isFit || (cursor && cursor.length > 2000)) throw new Refusal(422, 'no page');
  return { limit: Number(limit), cursor };
}

/** The texts of a form with a picture. @throws Refusal 422 */
export function toUploadFields({ type, module = '', tag = '' }: Record<string, string>): UploadFields {
  const isFit = [module, tag].every((word) => /^[a-z0-9_-]{0,32}$/.test(word));
  if (type !== 'image' || !isFit) throw new Refusal(422, 'no picture');
  return { type, module, tag };
}
