import { type FoundRoute, listMethods, listPaths, type RouteFunction } from '../model.ts';
import { renderHandler } from './entry.ts';

/**
 * Source of the entry of a function that several routes share; their own entries load on first use.
 *
 * @param isBehindEdge whether only CloudFront may call it
 */
export function renderSharedEntry({ routes }: RouteFunction, isBehindEdge = false): string {
  const loaders = routes.flatMap((found) =>
    listPaths(found).flatMap((path) =>
      listMethods(found).map(
        (method) => `  '${method} ${path}': () => import('./${found.functionName}.mjs'),`,
      ),
    ),
  );
  const imports = [`import { dispatch } from '#shared/http/dispatch.ts';`];
  return renderHandler(`dispatch({\n${loaders.join('\n')}\n})`, imports, isBehindEdge);
}

/**
 * Source of the entry of the `$default` function, which answers requests without a route.
 *
 * @param isBehindEdge whether only CloudFront may call it
 */
export function renderFallbackEntry(routes: FoundRoute[], isBehindEdge = false): string {
  const methods: Record<string, string[]> = {};
  for (const found of routes) {
    for (const path of listPaths(found)) methods[path] = [...(methods[path] ?? []), ...listMethods(found)];
  }
  const imports = [`import { fallback } from '#shared/http/fallback.ts';`];
  return renderHandler(`fallback(${JSON.stringify(methods, null, 2)})`, imports, isBehindEdge);
}
