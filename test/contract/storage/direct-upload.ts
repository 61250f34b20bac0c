import type { DirectUpload } from '#shared/storage/engine.ts';
import { createObjectPath } from '#shared/storage/naming/object-path.ts';

export const newKey = (): string => createObjectPath({ type: 'image', ext: 'png' });
export const newPrivateKey = (): string =>
  createObjectPath({ type: 'image', ext: 'png', visibility: 'private' });

/** A picture that a client will send within the hour. */
export function toUpload(change: Pick<DirectUpload, 'sizeBytes'> & Partial<DirectUpload>): DirectUpload {
  const expiresAt = Math.floor(Date.now() / 1000) + 3600;
  const partUrl = 'http://localhost:3000/api/system/upload/part';
  return { key: newKey(), contentType: 'image/png', expiresAt, ticket: 'a-ticket', partUrl, ...change };
}
