import { applyEdit, createPublicEdit, createStoredEdit } from './edit.ts';
import { currentSite, type MediaSite } from './site.ts';

/**
 * The full URL of a stored path, for output (media rule 1).
 *
 * @param path what is stored: `storage/…`, `/storage/…` or `uploads/…`; anything else is returned unchanged,
 * as is a path that leaves the folder
 * @param site this process's by default
 */
export function toPublicUrl(path: string, site: MediaSite = currentSite()): string {
  return applyEdit(path, createPublicEdit(site)(path));
}

/**
 * The stored path `storage/…` of a full URL of this site, for saving (media rule 2).
 *
 * @param url a full or protocol-relative URL; one of a third party and anything else is returned unchanged
 * @param site this process's by default
 */
export function toStoredUrl(url: string, site: MediaSite = currentSite()): string {
  return applyEdit(url, createStoredEdit(site)(url));
}
