import { mimeTypes } from '#shared/config/upload.ts';

const types = new Map<string, string>(Object.entries(mimeTypes));

/** The MIME type of what lies at a key, by its extension; undefined for one that no upload has. */
export function mimeTypeOf(key: string): string | undefined {
  return types.get(key.slice(key.lastIndexOf('.') + 1));
}
