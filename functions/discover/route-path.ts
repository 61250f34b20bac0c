import type { Area, Method } from '#shared/http/route.ts';

/** Each area with its folder in a module and the prefix of its URLs. */
export const areas = [
  { area: 'admin', folder: 'Admin', urls: '/adminapi/' },
  { area: 'api', folder: 'Api', urls: '/api/' },
  { area: 'web', folder: 'Web', urls: '/' },
] as const satisfies { area: Area; folder: string; urls: string }[];

/** The facts that follow from the path of a route's file. */
export interface RouteLocation {
  area: Area;
  path: string;
  functionName: string;
  /** Name of the function that the routes of its folder may share. */
  folderFunction: string;
  /** From a file name such as `part.get.ts`, if one URL has two methods. */
  method: Method | undefined;
}

/** Name of a folder or file, which is one segment of a URL. */
const segmentPattern = /^[a-zA-Z][a-zA-Z0-9-]*$/;
/** The first folder of `Web/` can be the one of RFC 8615. It is no part of the function's name, whose length is limited. */
const wellKnown = '.well-known';
/** A last segment of `Web/` can be a file name: `openapi.json`. */
const filePattern = /^[a-z][a-z0-9-]*\.json$/;
/** A last segment that matches everything after it: `[...path]` → `{path+}`. */
const restPattern = /^\[\.\.\.[a-z]+\]$/;
const restSegment = /\[\.\.\.([a-z]+)\]/;

/**
 * The location of a route's file in its module, or the problem: `Admin/setting/dict/type/list.ts` of the module `system`
 * becomes `/adminapi/system/setting/dict/type/list`.
 */
export function readRouteLocation(prefix: string, relative: string): RouteLocation | string {
  const [folder = '', ...rest] = relative.split('/');
  const found = areas.find((each) => each.folder === folder);
  if (!found) return `is in no folder for routes: move it to ${areas.map((each) => each.folder).join(', ')}`;
  const { area, urls } = found;
  const [, stem, suffix] = /^(.*?)(?:\.(get|post))?\.ts$/.exec(rest.join('/')) ?? [];
  const segments = stem?.split('/') ?? [];
  const isLastName = (segment: string) =>
    restPattern.test(segment) || (area === 'web' && filePattern.test(segment));
  const named = area === 'web' && segments[0] === wellKnown ? segments.slice(1) : segments;
  const bad = named.find(
    (segment, index) => !segmentPattern.test(segment) && !(index === named.length - 1 && isLastName(segment)),
  );
  if (bad !== undefined) return `"${bad}" cannot be part of a URL: use letters, digits and hyphens`;
  const owner = area === 'web' ? [] : [prefix];
  return {
    area,
    path: urls + [...owner, ...segments].join('/').replace(restSegment, '{$1+}'),
    functionName: [prefix, area, ...named, suffix ?? []]
      .flat()
      .join('-')
      .replace(restSegment, '$1')
      .replace('.', '-'),
    folderFunction: [prefix, area, ...named.slice(0, -1)].join('-'),
    method: suffix === undefined ? undefined : suffix === 'get' ? 'GET' : 'POST',
  };
}
