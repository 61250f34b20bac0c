import { environment } from '#shared/config/environment.ts';

/** Where this site's files are reached. */
export interface MediaSite {
  /** Base URL that output is completed with, without a trailing slash. */
  publicUrl: string;
  /** Further base URLs that are taken as this site's on save. */
  aliases: readonly string[];
}

/** This process's site: `PUBLIC_URL` and `PUBLIC_URL_ALIASES`, never the `Host` header. */
export function currentSite(): MediaSite {
  const { publicUrl, publicUrlAliases } = environment();
  return { publicUrl, aliases: publicUrlAliases };
}

// The start of an absolute or protocol-relative URL. An authority with user information is nobody's site.
const absolute = /^(https?:)?\/\/([^/?#\\@\0-\x20]+)/i;

interface Base {
  protocol: string;
  host: string;
  path: string;
}

/**
 * Makes a function that measures the base at the start of a URL.
 *
 * A URL is this site's when host and port are those of a base: the host in any case, the scheme's default
 * port written or not. `http:` and `https:` are not told apart, so that links from before a site moved to
 * https are found; a protocol-relative link has the scheme of the base that it is compared with.
 *
 * @returns the length of the base, path included and without a trailing slash; undefined for other sites
 * @throws TypeError when `site` holds what is not a URL
 */
export function createBaseMatcher(site: MediaSite): (url: string) => number | undefined {
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

function readBase(url: string): Base {
  const { protocol, host } = new URL(url);
  const start = absolute.exec(url)?.[0] ?? '';
  return { protocol, host, path: url.slice(start.length).replace(/(?<!\/)\/+$/, '') };
}

function readHost(protocol: string, authority: string): string | undefined {
  const url = `${protocol}//${authority}`;
  return URL.canParse(url) ? new URL(url).host : undefined;
}
