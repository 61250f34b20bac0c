import { toDisposition } from '#shared/storage/naming/disposition.ts';

/** The headers of every file that this service answers. An object never changes. */
export const publicHeaders = {
  // Browsers must never run a file.
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=31536000, immutable',
};

/** The headers of a private file, which replace those of the same name: no cache may keep it, because its link expires. */
export const describePrivate = (name: string) => ({
  'cache-control': 'private, no-store',
  'content-disposition': toDisposition(name),
  'referrer-policy': 'no-referrer',
});
