import type { Area, Route } from '#shared/http/route.ts';
import type { FoundRoute } from './model.ts';

/** A gate as an entry imports it. */
interface GateImport {
  name: string;
  file: string;
}

/** What an area requires of the callers of its routes that are not open. */
const requiredLogin: Record<Area, GateImport[]> = {
  admin: [{ name: 'adminAuth', file: '#shared/http/gates/admin-auth.ts' }],
  api: [{ name: 'apiAuth', file: '#shared/http/gates/api-auth.ts' }],
  web: [],
};

/** The gates of a route in the order of precedence (contract, section 4). */
function listGates({ area, access }: Route): GateImport[] {
  return access === 'required' ? requiredLogin[area] : [];
}

/** Source of the entry of a route's function; it imports this one route. */
export function renderEntry({ route, file, functionName }: FoundRoute): string {
  const gates = listGates(route);
  return [
    `import { endpoint } from '#shared/http/endpoint.ts';`,
    ...gates.map((gate) => `import { ${gate.name} } from '${gate.file}';`),
    `import route from '#${file}';`,
    '',
    `export const handler = endpoint(route, { name: '${functionName}', gates: [${gates.map(({ name }) => name).join(', ')}] });`,
    '',
  ].join('\n');
}

/** Source of the entry of the `$default` function, which answers what no route takes. */
export function renderFallbackEntry(routes: FoundRoute[]): string {
  const methods: Record<string, string[]> = {};
  for (const { path, route } of routes) methods[path] = [...(methods[path] ?? []), route.method];
  return [
    `import { fallback } from '#shared/http/fallback.ts';`,
    '',
    `export const handler = fallback(${JSON.stringify(methods, null, 2)});`,
    '',
  ].join('\n');
}
