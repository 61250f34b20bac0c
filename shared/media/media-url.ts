import * as z from 'zod/mini';
import { mediaField } from './convert-media.ts';
import {
  applyEdit,
  type ConvertLinks,
  createPublicEdit,
  createStoredEdit,
  currentSite,
  isPrivateLink,
} from './site-links.ts';

/** Completes a stored path `storage/…`, `/storage/…` or `uploads/…`, for output (media rule 1). */
export const toPublicUrl: ConvertLinks = (path, site = currentSite()) =>
  applyEdit(path, createPublicEdit(site)(path));

/** Shortens a full or protocol-relative URL of this site to its stored path, for saving (media rule 2). */
export const toStoredUrl: ConvertLinks = (url, site = currentSite()) =>
  applyEdit(url, createStoredEdit(site)(url));

/** Stored paths, and addresses with or without their scheme. */
const mediaLink = /^(?:\/?storage\/|uploads\/|(?:https?:)?\/\/[^\s/\\])/i;
const isMediaLink = (url: string): boolean => url === '' || (mediaLink.test(url) && !/[\p{Cc}\\]/u.test(url));

/** Schemes that run no script, also of older values. */
const harmless = new Set(['http:', 'https:', 'data:', 'blob:']);
/** Whether a browser runs no script if it follows a link. It ignores control characters and spaces around schemes. */
const isHarmless = (url: string): boolean =>
  URL.canParse(url, 'https://site.invalid') && harmless.has(new URL(url, 'https://site.invalid').protocol);

const toAnswered = (url: string): string => (isHarmless(url) && !isPrivateLink(url) ? toPublicUrl(url) : '');

/**
 * A field with the URL of one file, such as a cover or an avatar: a stored path, an `http(s)` URL, or empty. A private
 * file is refused. An older value with another scheme is answered empty.
 *
 * @param checks of the stored form
 */
export const mediaUrl = (...checks: z.core.$ZodCheck<string>[]): z.ZodMiniString<string> =>
  mediaField({ public: toAnswered, stored: toStoredUrl }, [
    z.refine(isMediaLink, { error: 'rule.media_url', abort: true }),
    // Its link would expire.
    z.refine((url: string) => !isPrivateLink(url), { error: 'rule.private_file', abort: true }),
    ...checks,
  ]);
