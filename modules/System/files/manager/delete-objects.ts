import type { NamedEngine } from '#shared/storage/engines.ts';
import { toVariantQuery } from '#shared/storage/naming/variant-link.ts';
import { listObjectKeys } from '#shared/storage/naming/variant-path.ts';

/** Deletes an object of a file and the variants beside it. Idempotent. @throws AppError `storage.*` */
export async function deleteObjects(
  { name, delete: remove }: Pick<NamedEngine, 'name' | 'delete'>,
  key: string,
): Promise<void> {
  const keys = toVariantQuery(name, 'thumb') === undefined ? listObjectKeys(key) : [key];
  // The picture first: a variant that is made meanwhile finds it gone. One after another, since many files go at once.
  for (const each of keys) await remove(each);
}
