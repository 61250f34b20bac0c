import type * as z from 'zod/mini';
import { mediaField } from './convert-media.ts';
import { applyEdit, createPublicEdit, createStoredEdit, currentSite, type MediaSite } from './site-links.ts';

/**
 * The full URL of a stored path, for output (media rule 1).
 *
 * @param path `storage/…`, `/storage/…` or `uploads/…`; anything else, and a path out of the folder, is returned
 *   unchanged
 * @param site this process's by default
 */
export function toPublicUrl(path: string, site: MediaSite = currentSite()): string {
  return applyEdit(path, createPublicEdit(site)(path));
}

/**
 * The stored path `storage/…` of a full URL of this site, for saving (media rule 2).
 *
 * @param url a full or protocol-relative URL; anything else, and a third party's URL, is returned unchanged
 * @param site this process's by default
 */
export function toStoredUrl(url: string, site: MediaSite = currentSite()): string {
  return applyEdit(url, createStoredEdit(site)(url));
}

/**
 * A field with the URL of one file, such as a cover or an avatar. Validation shortens this site's URL to the
 * stored path (media rule 2), then runs the checks; `convertMedia` completes it for output (media rule 1).
 *
 * @param checks of the stored form, such as `z.maxLength(500)`
 */
export const mediaUrl = (...checks: z.core.$ZodCheck<string>[]): z.ZodMiniString<string> =>
  mediaField({ public: toPublicUrl, stored: toStoredUrl }, checks);
