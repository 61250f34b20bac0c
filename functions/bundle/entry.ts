import { type FoundGate, findAudit, listGates } from '#shared/http/gates.ts';
import type { Need } from '#shared/http/route.ts';
import { locales } from '#shared/i18n/locale.ts';
import type { DeclaredJob } from '#shared/module/job.ts';
import { countsByBody } from '#shared/throttle/throttles.ts';
import { listWithRequired } from '../discover/discover-owners.ts';
import { findTarget } from '../discover/find-target.ts';
import {
  findAskedPermissions,
  findPermission,
  findRouteOf,
  findToolPermission,
  listParts,
  toPermissionPath,
} from '../discover/permissions.ts';
import {
  type FoundJob,
  type FoundListener,
  type FoundModule,
  type FoundRoute,
  type FoundTool,
  limitBytesOf,
  type Manifest,
} from '../model.ts';

/** The parts of the manifest for values that routes need. */
export type Supply = Pick<Manifest, 'modules' | 'routes' | 'tools' | 'adapters'> &
  Partial<Pick<Manifest, 'jobs'>>;

type Fragment = { imports: string[]; value: string };

/** Source of the entry of a route's function. @param isBehindEdge whether only CloudFront may call it */
export function renderEntry(found: FoundRoute, supply: Supply, isBehindEdge = false): string {
  const { route, file, functionName } = found;
  const gates = listGates(route).map((gate) => renderGate(gate, found, supply));
  // These routes can answer with messages of all modules.
  const isAboutAll = (route.needs ?? []).some((need) => !['documents', 'console'].includes(need));
  const messages = renderMessages(
    isAboutAll ? supply.modules : listWithRequired(supply.modules, found.module),
  );
  const needs = (route.needs ?? []).map((need) => ({ need, ...needed[need](supply) }));
  const audit = renderAudit(found, supply);
  const options = {
    name: `'${functionName}'`,
    gates: `[${gates.map(({ value }) => value).join(', ')}]`,
    messages,
    bodyLimitBytes: route.body && limitBytesOf(found),
    isCountedByBody: found.throttles.some(({ throttle }) => countsByBody(throttle)),
    needs:
      route.needs?.length && renderObject(Object.fromEntries(needs.map(({ need, value }) => [need, value]))),
    audit: audit.value,
  };
  const imports = [
    `import { endpoint } from '#shared/http/endpoint.ts';`,
    ...[...gates, ...needs, audit].flatMap((each) => each.imports),
    `import route from '#${file}';`,
  ];
  return renderHandler(`endpoint(route, ${renderObject(options)})`, imports, isBehindEdge);
}

/** An object with the source texts of its values; leaves out empty ones. */
const renderObject = (values: Record<string, unknown>): string => {
  const set = Object.entries(values).filter(([, value]) => value);
  return `{ ${set.map(([key, value]) => `${key}: ${value}`).join(', ')} }`;
};

/** A source with imports and a handler. @param isBehindEdge whether only CloudFront may call it */
export function renderHandler(handler: string, imports: readonly string[], isBehindEdge = false): string {
  const all = isBehindEdge ? [`import { behindEdge } from '#shared/http/edge.ts';`, ...imports] : imports;
  return `${[...new Set(all)].join('\n')}\n\nexport const handler = ${isBehindEdge ? `behindEdge(${handler}, ${edgeSecret})` : handler};\n`;
}

/** A deployed function without the secret refuses everything. A local server has no CloudFront. */
const edgeSecret = `process.env.EDGE_SECRET ?? (process.env.AWS_LAMBDA_FUNCTION_NAME && '')`;

/**
 * `api.try-auth` becomes `apiTryAuth` of `gates/api-try-auth.ts`. A throttle gets its name and its declaration, and
 * others the route's permission.
 */
function renderGate(
  { name, file, argument, takesPermission }: FoundGate,
  found: FoundRoute,
  { routes, modules }: Supply,
): Fragment {
  const local = name.replace(/[.-](.)/g, (_sign, letter: string) => letter.toUpperCase());
  const imports = [`import ${local} from '${file}';`];
  if (takesPermission) {
    const { right, asksFor } = found.route;
    const isAsked = right !== 'handler';
    const parts = listParts(found, modules).map(([part]) => part);
    const settings: unknown[] = [findPermission(found)];
    if (asksFor || parts.length > 0) settings.push(isAsked, findAskedPermissions(found, routes));
    else if (!isAsked) settings.push(isAsked);
    if (parts.length > 0) settings.push(parts);
    return { imports, value: `${local}(${settings.map((each) => JSON.stringify(each)).join(', ')})` };
  }
  const files = [...new Set(found.throttles.map((each) => each.file))];
  const declared = found.throttles.find((each) => each.name === argument)?.file;
  if (declared === undefined) return { imports, value: local };
  const from = `throttles${files.indexOf(declared)}`;
  imports.push(`import ${from} from '#${declared}';`);
  return { imports, value: `${local}('${argument}', ${from}['${argument}'])` };
}

/** The step that records requests or refusals; an empty value for a route without one. */
function renderAudit(found: FoundRoute, { modules }: Supply): Fragment {
  const { route, path } = found;
  const recorded = findAudit(route);
  if (!recorded) return { imports: [], value: '' };
  const name = { requests: 'recordRequests', refusals: 'recordRefusals' }[recorded];
  const imports = [`import { ${name} } from '#shared/http/audit-step.ts';`];
  const names = [toPermissionPath(path), findTarget(found, modules) ?? []].flat();
  return { imports, value: `${name}(${names.map((each) => `'${each}'`).join(', ')})` };
}

/** Loaders of the messages of modules; an empty value if they have none. */
function renderMessages(modules: readonly FoundModule[]): string {
  const speaking = modules.filter(({ messages }) => Object.keys(messages[locales[0]]).length > 0);
  const loaders = speaking.map(({ files }) => renderLoaders(`#${files.lang}`));
  return loaders.length > 0 ? `[${loaders.join(', ')}]` : '';
}

/** An object that loads the JSON files of a folder on first use, by locale. */
const renderLoaders = (folder: string): string =>
  renderObject(
    Object.fromEntries(
      locales.map((locale) => [
        locale,
        `() => import('${folder}/${locale}.json', { with: { type: 'json' } })`,
      ]),
    ),
  );

/** Creates the values that routes list in `needs`. */
export const needed: Record<Need, (supply: Supply) => Fragment> = {
  modules: ({ modules }) => {
    const names = modules.map(({ manifest }) => manifest.name);
    const imports = names.map((name) => `import ${name} from '#modules/${name}/module.ts';`);
    return { imports, value: `[${names.join(', ')}]` };
  },
  tools: (supply) => {
    const entries = supply.tools.map((found, index) => renderTool(found, index, supply));
    const descriptions = `() => import('../tools.json', { with: { type: 'json' } })`;
    return {
      imports: [
        `import { createRegistry } from '#shared/tools/registry.ts';`,
        ...entries.flatMap(({ imports }) => imports),
      ],
      value: `createRegistry([${entries.map(({ value }) => value).join(', ')}], ${descriptions})`,
    };
  },
  documents: () => ({ imports: [], value: renderLoaders('../openapi') }),
  contributions: ({ modules, jobs }) => {
    const found = modules.flatMap(({ manifest: { name }, contributions }) =>
      contributions ? { name: `of${name}`, file: contributions.file } : [],
    );
    return {
      imports: [
        `import { joinContributions } from '#shared/module/contributions.ts';`,
        ...found.map(({ name, file }) => `import ${name} from '#${file}';`),
      ],
      value: `joinContributions([${found.map(({ name }) => name).join(', ')}]${jobs?.length ? `, ${renderJobs(jobs)}` : ''})`,
    };
  },
  console: () => ({
    imports: [],
    value: `{ site: () => import('../console/site.mjs'), description: () => import('../console/description.json', { with: { type: 'json' } }) }`,
  }),
  permissions: () => ({
    imports: [`import permissions from '../permissions.json' with { type: 'json' };`],
    value: 'permissions',
  }),
  jobs: ({ jobs }) => ({ imports: [], value: renderJobs(jobs) }),
  permissionTable: () => ({
    imports: [`import permissionTable from '../permission-table.json' with { type: 'json' };`],
    value: 'permissionTable',
  }),
};

const renderJobs = (jobs: readonly FoundJob[] = []): string => JSON.stringify(jobs.map(describeJob));

const describeJob = ({ functionName: id, job }: FoundJob): DeclaredJob => {
  const { schedule, timeZone, title = { zh_CN: id, en: id } } = job;
  return { id, title, schedule, ...(timeZone !== undefined && { timeZone }) };
};

/** What the registry knows of a tool. Its file and those of its route load on first use, except for a prefetch. */
function renderTool(
  { tool, file }: FoundTool,
  index: number,
  { modules, routes, adapters }: Supply,
): Fragment {
  const { name, access, prefetch, confirm } = tool;
  const adapter = adapters.find((found) => found.adapter.name === name);
  const found = findRouteOf(tool, routes);
  const needs = found ? (found.route.needs ?? []) : (tool.needs ?? []);
  const load = (path: string) => `() => import('${path}')`;
  const value = renderObject({
    name: `'${name}'`,
    access: `'${access}'`,
    permission: JSON.stringify(findToolPermission(tool, routes)),
    target: JSON.stringify(found ? findTarget(found, modules) : tool.target),
    isRecorded: found && String(findAudit(found.route) === 'requests'),
    confirm,
    tool: prefetch ? `new Tool${index}()` : load(`#${file}`),
    adapter: adapter && load(`#${adapter.file}`),
    needs:
      needs.length > 0 &&
      renderObject(Object.fromEntries(needs.map((need) => [need, load(`../needs/${need}.mjs`)]))),
  });
  return { imports: prefetch ? [`import Tool${index} from '#${file}';`] : [], value };
}

/** Source of a file with a value that a route of a tool asks for. */
export function renderNeed(need: Need, supply: Supply): string {
  const { imports, value } = needed[need](supply);
  return `${imports.join('\n')}\n\nexport default ${value};\n`;
}

/** Source of the entry of a job's function. */
export const renderJobEntry = ({ file, functionName }: FoundJob): string =>
  renderHandler(`jobHandler(job, { name: '${functionName}' })`, [
    `import { jobHandler } from '#shared/http/background.ts';`,
    `import job from '#${file}';`,
  ]);

/** Source of the entry of a stream listener's function. */
export function renderListenerEntry({ file, functionName, cached }: FoundListener): string {
  const records = cached?.map(
    ({ prefix }, index) => `{ prefix: '${prefix}', mirrors: [entity${index}.mirror].flat() }`,
  );
  const options = renderObject({ name: `'${functionName}'`, cached: records && `[${records.join(', ')}]` });
  return renderHandler(`streamHandler(listener, ${options})`, [
    `import { streamHandler } from '#shared/http/background.ts';`,
    `import listener from '#${file}';`,
    ...(cached ?? []).map((each, index) => `import { ${each.name} as entity${index} } from '#${each.file}';`),
  ]);
}
