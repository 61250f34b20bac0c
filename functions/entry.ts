import type { Area, Route } from '#shared/http/route.ts';
import { locales } from '#shared/i18n/locale.ts';
import { type FoundJob, type FoundListener, type FoundRoute, listMethods, type Manifest } from './model.ts';

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

const siteGate: GateImport = { name: 'apiSite', file: '#shared/http/gates/api-site.ts' };

/** The gates of a route in the order of precedence (contract, section 4): site, throttles, login. */
function listGates({ area, access, middleware }: Route): (GateImport & { call?: string })[] {
  const throttles = middleware.filter((name) => name.startsWith('throttle:'));
  return [
    ...(area === 'api' ? [siteGate] : []),
    ...throttles.map((name) => ({
      name: 'throttle',
      file: '#shared/http/gates/throttle.ts',
      call: `throttle('${name.slice('throttle:'.length)}')`,
    })),
    ...(access === 'required' ? requiredLogin[area] : []),
    ...(middleware.includes('api.try-auth')
      ? [{ name: 'apiTryAuth', file: '#shared/http/gates/api-try-auth.ts' }]
      : []),
    ...(middleware.includes('mcp.auth') ? [{ name: 'mcpAuth', file: '#shared/http/gates/mcp-auth.ts' }] : []),
  ];
}

/** What the modules declare of tools. */
type FoundTools = Pick<Manifest, 'tools' | 'adapters'>;

/**
 * Source of the entry of a route's function; it imports this one route.
 *
 * @param modules names of the enabled modules, whose manifests a route may ask for
 * @param foundTools those of the enabled modules, which a route may ask for too
 */
export function renderEntry(
  found: FoundRoute,
  modules: readonly string[] = [],
  foundTools: FoundTools = { tools: [], adapters: [] },
): string {
  const { route, file, functionName } = found;
  const gates = listGates(route);
  const imports = new Map(gates.map((gate) => [gate.file, `import { ${gate.name} } from '${gate.file}';`]));
  const manifests = route.modules ? modules : [];
  const tools = route.tools && renderTools(foundTools);
  const options = [
    `name: '${functionName}'`,
    `gates: [${gates.map(({ name, call = name }) => call).join(', ')}]`,
    ...(route.modules ? [`modules: [${manifests.join(', ')}]`] : []),
    ...(tools ? [tools.option] : []),
    ...(route.documents ? [renderDocuments()] : []),
  ];
  return [
    `import { endpoint } from '#shared/http/endpoint.ts';`,
    ...imports.values(),
    ...manifests.map((name) => `import ${name} from '#modules/${name}/module.ts';`),
    ...(tools ? tools.imports : []),
    `import route from '#${file}';`,
    '',
    `export const handler = endpoint(route, { ${options.join(', ')} });`,
    '',
  ].join('\n');
}

/** What loads the OpenAPI document of a locale. */
function renderDocuments(): string {
  const loaders = locales.map(
    (locale) => `${locale}: () => import('../openapi/${locale}.json', { with: { type: 'json' } })`,
  );
  return `documents: { ${loaders.join(', ')} }`;
}

/** A registry of all tools, and the imports that it takes. */
function renderTools({ tools, adapters }: FoundTools): { imports: string[]; option: string } {
  const importAs = (name: string) => (each: { file: string }, index: number) =>
    `import ${name}${index} from '#${each.file}';`;
  const createAs = (name: string) => (_each: unknown, index: number) => `new ${name}${index}()`;
  const instances = [tools.map(createAs('Tool')), adapters.map(createAs('Adapter'))];
  const [toolList, adapterList] = instances.map((list) => `[${list.join(', ')}]`);
  return {
    imports: [
      `import { createRegistry } from '#shared/tools/registry.ts';`,
      ...tools.map(importAs('Tool')),
      ...adapters.map(importAs('Adapter')),
    ],
    option: `tools: createRegistry(${toolList}, ${adapterList})`,
  };
}

/** Source of the entry of a job's function. */
export function renderJobEntry({ file, functionName }: FoundJob): string {
  return [
    `import { jobHandler } from '#shared/http/job.ts';`,
    `import job from '#${file}';`,
    '',
    `export const handler = jobHandler(job, { name: '${functionName}' });`,
    '',
  ].join('\n');
}

/** Source of the entry of a stream listener's function. */
export function renderListenerEntry(
  { file, functionName }: FoundListener,
  modules: readonly string[],
): string {
  return [
    `import { streamHandler } from '#shared/http/stream.ts';`,
    ...modules.map((name) => `import ${name} from '#modules/${name}/module.ts';`),
    `import listener from '#${file}';`,
    '',
    `export const handler = streamHandler(listener, {`,
    `  name: '${functionName}',`,
    `  modules: [${modules.join(', ')}],`,
    `});`,
    '',
  ].join('\n');
}

/** Source of the entry of the `$default` function, which answers what no route takes. */
export function renderFallbackEntry(routes: FoundRoute[]): string {
  const methods: Record<string, string[]> = {};
  for (const found of routes) methods[found.path] = [...(methods[found.path] ?? []), ...listMethods(found)];
  return [
    `import { fallback } from '#shared/http/fallback.ts';`,
    '',
    `export const handler = fallback(${JSON.stringify(methods, null, 2)});`,
    '',
  ].join('\n');
}
