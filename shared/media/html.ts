import { createPublicEdit, createStoredEdit, type FindEdit } from './edit.ts';
import { listLinks } from './links.ts';
import { escapeAttribute, toRawOffset } from './raw-offset.ts';
import { currentSite, type MediaSite } from './site.ts';

/**
 * Rich text with local paths in `src`, `href` and `poster` completed, for output (media rules 1 and 3). Every
 * other byte stays: quotes, case, white space, character references, malformed markup, other attributes such
 * as `srcset`, and `<base>`.
 *
 * @param html rich text; markup need not be well-formed
 * @param site this process's by default
 */
export function toPublicHtml(html: string, site: MediaSite = currentSite()): string {
  return editLinks(html, createPublicEdit(site));
}

/**
 * Rich text with this site's URLs in `src`, `href` and `poster` shortened to `storage/…`, for saving (media
 * rules 2 and 3). External links and every other byte stay.
 *
 * @param html rich text; markup need not be well-formed
 * @param site this process's by default
 */
export function toStoredHtml(html: string, site: MediaSite = currentSite()): string {
  return editLinks(html, createStoredEdit(site));
}

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
