import { createBaseMatcher, type MediaSite } from './site.ts';

/** A replacement within a value: `text` instead of what lies between `start` and `end`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Finds what to replace in a link; undefined where the link stays as it is. */
export type FindEdit = (link: string) => Edit | undefined;

// What browsers strip from the start of a URL.
const leading = /^[\0-\x20]*/;
const local = /^(?:\/?storage|uploads)\//;
// What a browser or a server may read as a way out of the folder, or strip before it looks for one.
const unsafe = /[\\\p{Cc}]|%5c|(?:\/|%2f)(?:\.|%2e){2}(?:\/|%2f|$)/iu;

/**
 * Completes local relative paths (media rule 1): `uploads/…`, `storage/…` and `/storage/…`. Anything else
 * begins otherwise and stays: other relative links, full URLs, anchors, `data:`, `blob:`, `javascript:`,
 * `mailto:` and `tel:` in every spelling (media rule 4).
 */
export function createPublicEdit({ publicUrl }: MediaSite): FindEdit {
  return (link) => {
    const start = countLeading(link);
    const [folder] = local.exec(link.slice(start)) ?? [];
    if (!folder || !isFile(link, start + folder.length)) return undefined;
    if (folder === 'uploads/') return { start, end: start, text: `${publicUrl}/storage/` };
    return { start, end: start, text: folder === 'storage/' ? `${publicUrl}/` : publicUrl };
  };
}

/** Shortens `{base}/storage/…` to `storage/…`; URLs of third parties stay (media rule 2). */
export function createStoredEdit(site: MediaSite): FindEdit {
  const measureBase = createBaseMatcher(site);
  return (link) => {
    const start = countLeading(link);
    const length = measureBase(link.slice(start));
    if (length === undefined) return undefined;
    const end = start + length + 1;
    if (!link.startsWith('storage/', end) || !isFile(link, end + 'storage/'.length)) return undefined;
    return { start, end, text: '' };
  };
}

/** The link after its edit. */
export function applyEdit(link: string, edit: Edit | undefined): string {
  return edit ? link.slice(0, edit.start) + edit.text + link.slice(edit.end) : link;
}

function countLeading(link: string): number {
  return leading.exec(link)?.[0].length ?? 0;
}

/** Whether the path after the folder, which ends at `start`, names something that lies in the folder. */
function isFile(link: string, start: number): boolean {
  const path = /^[^?#]*/.exec(link.slice(start))?.[0] ?? '';
  let end = path.length;
  // What browsers strip from the end. A pattern would search from every space again.
  while (path.charCodeAt(end - 1) <= 0x20) end--;
  return end > 0 && !unsafe.test(`/${path.slice(0, end)}`);
}
