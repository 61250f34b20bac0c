import { environment } from '#shared/config/environment.ts';

interface MediaSite {
  /** Base URL for output, without a trailing slash. */
  publicUrl: string;
  /** Other base URLs of this site; recognised when links are saved. */
  aliases: readonly string[];
}

/** Converts the links of a text; a link that no rule names stays. @param site this process's by default */
export type ConvertLinks = (text: string, site?: MediaSite) => string;

/** This process's site: `PUBLIC_URL` and `PUBLIC_URL_ALIASES`, never the `Host` header. */
export function currentSite(): MediaSite {
  const { publicUrl, publicUrlAliases } = environment();
  return { publicUrl, aliases: publicUrlAliases };
}

// The start of an absolute or protocol-relative URL, without user information.
const absolute = /^(https?:)?\/\/([^/?#\\@\0-\x20]+)/i;

/**
 * Creates a function that returns the length of the base at the start of a URL, or undefined for other sites. Host and
 * port must be those of a base; upper case, the default port and the choice of `http:` or `https:` do not matter. A
 * protocol-relative link gets the scheme of the base.
 */
function createBaseMatcher(site: MediaSite): (url: string) => number | undefined {
  const bases = [site.publicUrl, ...site.aliases].map(readBase);
  return (url) => {
    const [start, protocol, authority] = absolute.exec(url) ?? [];
    if (start === undefined || authority === undefined) return undefined;
    const base = bases.find(
      ({ host, path, ...own }) =>
        url.startsWith(`${path}/`, start.length) && readHost(protocol ?? own.protocol, authority) === host,
    );
    return base && start.length + base.path.length;
  };
}

function readBase(url: string) {
  const { protocol, host } = new URL(url);
  const start = absolute.exec(url)?.[0] ?? '';
  return { protocol, host, path: url.slice(start.length).replace(/(?<!\/)\/+$/, '') };
}

function readHost(protocol: string, authority: string): string | undefined {
  const url = `${protocol}//${authority}`;
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/** Replaces the text between `start` and `end`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Finds the edit of a link; undefined if the link stays unchanged. */
export type FindEdit = (link: string) => Edit | undefined;

// Browsers strip these from the start of a URL.
const leading = /^[\0-\x20]*/;
const local = /^(?:\/?storage|uploads)\//;
// Browsers or servers may read these as a way out of the folder, or strip them first.
const unsafe = /[\\\p{Cc}]|%5c|(?:\/|%2f)(?:\.|%2e){2}(?:\/|%2f|$)/iu;

/** A variant lies in `variants/{engine}/{size}/private/…`. */
const privateFolder = /^\/*(?:variants\/+[^/]+\/+[^/]+\/+)?private\//i;

/** Whether a link names a private file of this site's storage, with or without its signature. */
export function isPrivateLink(link: string): boolean {
  const [folder] = local.exec(link) ?? [];
  return folder !== undefined && folder !== 'uploads/' && privateFolder.test(link.slice(folder.length));
}

/**
 * Completes `uploads/…`, `storage/…` and `/storage/…` (media rule 1), but no path of a private file. Everything else
 * stays: other relative links, full URLs, anchors, `data:`, `javascript:`, `mailto:` and so on, in every spelling (media
 * rule 4).
 */
export function createPublicEdit({ publicUrl }: MediaSite): FindEdit {
  return (link) => {
    const start = countLeading(link);
    const [folder] = local.exec(link.slice(start)) ?? [];
    if (!folder || isPrivateLink(link.slice(start)) || !isFile(link, start + folder.length)) return undefined;
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

export function applyEdit(link: string, edit: Edit | undefined): string {
  return edit ? link.slice(0, edit.start) + edit.text + link.slice(edit.end) : link;
}

function countLeading(link: string): number {
  return leading.exec(link)?.[0].length ?? 0;
}

/** Whether the path from `start` names a file in the folder before it. */
function isFile(link: string, start: number): boolean {
  const path = /^[^?#]*/.exec(link.slice(start))?.[0] ?? '';
  let end = path.length;
  // Browsers strip these from the end. A regular expression would take quadratic time.
  while (path.charCodeAt(end - 1) <= 0x20) end--;
  return end > 0 && !unsafe.test(`/${path.slice(0, end)}`);
}
