import type * as z from 'zod/mini';
import { mediaField } from './convert-media.ts';
import {
  applyEdit,
  type ConvertLinks,
  createPublicEdit,
  createStoredEdit,
  currentSite,
} from './site-links.ts';

/** Completes a stored path `storage/…`, `/storage/…` or `uploads/…`, for output (media rule 1). */
export const toPublicUrl: ConvertLinks = (path, site = currentSite()) =>
  applyEdit(path, createPublicEdit(site)(path));

/** Shortens a full or protocol-relative URL of this site to its stored path, for saving (media rule 2). */
export const toStoredUrl: ConvertLinks = (url, site = currentSite()) =>
  applyEdit(url, createStoredEdit(site)(url));

/** A field with the URL of one file, such as a cover or an avatar. @param checks of the stored form */
export const mediaUrl = (...checks: z.core.$ZodCheck<string>[]): z.ZodMiniString<string> =>
  mediaField({ public: toPublicUrl, stored: toStoredUrl }, checks);
