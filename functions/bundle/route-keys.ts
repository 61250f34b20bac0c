import { type FoundRoute, listMethods, listPaths, type RouteFunction } from '../model.ts';
import { renderHandler } from './entry.ts';

/** Source of the entry of a function that several routes share; their own entries load on first use. */
export function renderSharedEntry({ routes }: RouteFunction): string {
  const loaders = routes.flatMap((found) =>
    listPaths(found).flatMap((path) =>
      listMethods(found).map(
        (method) => `  '${method} ${path}': () => import('./${found.functionName}.mjs'),`,
      ),
    ),
  );
  return renderHandler(`dispatch({\n${loaders.join('\n')}\n})`, [
    `import { dispatch } from '#shared/http/dispatch.ts';`,
  ]);
}

/** Source of the entry of the `$default` function, which answers requests without a route. */
export function renderFallbackEntry(routes: FoundRoute[]): string {
  const methods: Record<string, string[]> = {};
  for (const found of routes) {
    for (const path of listPaths(found)) methods[path] = [...(methods[path] ?? []), ...listMethods(found)];
  }
  return renderHandler(`fallback(${JSON.stringify(methods, null, 2)})`, [
    `import { fallback } from '#shared/http/fallback.ts';`,
  ]);
}
