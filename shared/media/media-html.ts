import { decodeHTMLAttribute } from 'entities/decode';
import * as z from 'zod/mini';
import { log } from '#shared/log/log.ts';
import { mediaField } from './convert-media.ts';
import { listLinks } from './list-links.ts';
import { isTooComplex, sanitizeHtml, structureLimits } from './sanitize-html.ts';
import {
  type ConvertLinks,
  createPublicEdit,
  createStoredEdit,
  currentSite,
  type FindEdit,
} from './site-links.ts';

// Only the `src`, `href` and `poster` of rich text (media rule 3). Every other byte stays: quotes, white space,
// malformed markup, other attributes such as `srcset`, and `<base>`.

/** Completes local paths, for output (media rule 1). */
export const toPublicHtml: ConvertLinks = (html, site = currentSite()) =>
  editLinks(html, createPublicEdit(site));

/** Shortens this site's URLs to `storage/…`, for saving (media rule 2). */
export const toStoredHtml: ConvertLinks = (html, site = currentSite()) =>
  editLinks(html, createStoredEdit(site));

function editLinks(html: string, findEdit: FindEdit): string {
  const parts: string[] = [];
  let done = 0;
  for (const { value, start } of listLinks(html)) {
    const edit = findEdit(value);
    if (!edit) continue;
    parts.push(html.slice(done, toRawOffset(html, start, edit.start)), escapeAttribute(edit.text));
    done = toRawOffset(html, start, edit.end);
  }
  return parts.join('') + html.slice(done);
}

// One decoded unit of the HTML standard. A named reference includes the character that decides its meaning.
const unit = /&#x[\da-f]+;?|&#\d+;?|&[\da-z]+[;=]?|\r\n|./gisy;

/** Where the first `length` UTF-16 units of an attribute's decoded value end in the source. */
function toRawOffset(html: string, start: number, length: number): number {
  unit.lastIndex = start;
  let offset = start;
  for (let decoded = 0; decoded < length; offset = unit.lastIndex) {
    const source = unit.exec(html)?.[0] ?? '';
    decoded += source === '\r\n' ? 1 : decodeHTMLAttribute(source).length;
  }
  return offset;
}

/** Escapes text for an attribute's value, quoted or not. */
function escapeAttribute(text: string): string {
  return text.replace(/[&"'<>=`\s]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Longer than any stored text: a DynamoDB item holds 400 KiB. Such a text is refused for its size, unread. */
const mostCharacters = 400 * 1024;

/** Completes local paths in the allowed part of a text, for output; empty for a text above the limits. */
export const toSafeHtml = (html: string): string => toPublicHtml(readSafe(html));

/** Texts that were answered lately, by what is stored: many readers ask for the same article. */
const safeTexts = new Map<string, string>();
const mostSafeTexts = 16;

function readSafe(html: string): string {
  const known = safeTexts.get(html);
  if (known !== undefined) return known;
  const safe = sanitizeHtml(html);
  if (safe === undefined) log.warn('media.text_emptied', { characters: html.length });
  const [oldest] = safeTexts.keys();
  if (oldest !== undefined && safeTexts.size >= mostSafeTexts) safeTexts.delete(oldest);
  safeTexts.set(html, safe ?? '');
  return safe ?? '';
}

const toSafeStoredHtml = (html: string): string =>
  toStoredHtml(html.length > mostCharacters ? html : (sanitizeHtml(html) ?? html));

const isSimple: z.core.$ZodCheck<string> = z.refine(
  (html: string) => html.length > mostCharacters || !isTooComplex(html),
  {
    error: 'rule.html_structure',
    params: structureLimits,
  },
);

/**
 * A field with rich text, such as the content of an article. What is not on the allow-list is removed when it is saved,
 * and when older text is answered.
 *
 * @param checks of the stored form
 */
export const mediaHtml = (...checks: z.core.$ZodCheck<string>[]): z.ZodMiniString<string> =>
  mediaField({ public: toSafeHtml, stored: toSafeStoredHtml }, [isSimple, ...checks]);
