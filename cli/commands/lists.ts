import { discover } from '#functions/discover/discover.ts';
import { findPermission, findToolPermission } from '#functions/discover/permissions.ts';
import { listMethods, listPaths, type Manifest } from '#functions/model.ts';
import { formatPermission } from '#shared/auth/permission.ts';
import { findLogin, listThrottles } from '#shared/http/gates.ts';
import { toRoutePrefix } from '#shared/module/module.ts';
import { createCommand, explain } from '../command.ts';
import { findModules, type KnownModule } from '../modules/find-modules.ts';
import { root } from '../project.ts';
import { printWarnings, renderColumns } from '../terminal.ts';

/** Replaces unknown values. */
const none = '-';

export const routeList = createCommand('route:list', 'list the routes of the enabled modules')
  .argument('[text]', 'only those with this text', '')
  .action(async (text) => {
    const { routes } = await discover(root);
    const rows = routes
      .toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)))
      .map((found) => {
        const permission = findPermission(found);
        return [
          listMethods(found).join('|'),
          listPaths(found).join(', '),
          findLogin(found.route)?.name ?? 'open',
          typeof permission === 'object' ? formatPermission(permission) : none,
          listThrottles(found.route).join(', ') || none,
          found.module,
        ];
      });
    printRows('route', ['METHOD', 'PATH', 'AUTH', 'PERMISSION', 'THROTTLES', 'MODULE'], rows, text);
  });

export const toolList = createCommand('tool:list', 'list the tools of the enabled modules')
  .argument('[text]', 'only those with this text', '')
  .action(async (text) => {
    const found = await discover(root);
    printWarnings(found);
    const rows = found.tools
      .map(({ tool }) => tool)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((tool) => {
        const { name, access, description } = tool;
        const owner = found.modules.find(({ prefix }) => name.startsWith(`${prefix}.`));
        const permission = findToolPermission(tool, found.routes);
        return [
          name,
          access,
          permission ? formatPermission(permission) : none,
          found.adapters.some(({ adapter }) => adapter.name === name) ? 'yes' : 'no',
          owner?.manifest.name ?? '',
          description,
        ];
      });
    printRows('tool', ['TOOL', 'ACCESS', 'PERMISSION', 'ASSISTANT', 'MODULE', 'DESCRIPTION'], rows, text);
  });

/** Prints the rows that contain a text. @throws Error if no row does */
function printRows(kind: string, header: string[], rows: readonly string[][], text: string): void {
  const found = rows.filter((row) => row.join(' ').toLowerCase().includes(text.toLowerCase()));
  if (text && found.length === 0) throw new Error(`There is no ${kind} with "${text}"`);
  console.log(renderColumns([header, ...found]));
}

const moduleHeader = ['MODULE', 'VERSION', 'INSTALLED', 'ENABLED', 'REQUIRES', 'ROUTES', 'TOOLS'];

export const moduleList = createCommand('module:list', 'list the modules with their states').action(
  async () => {
    const modules = await findModules();
    const [found] = await Promise.allSettled([discover(root)]);
    const manifest = found.status === 'fulfilled' ? found.value : undefined;
    console.log(renderColumns([moduleHeader, ...modules.map((module) => toModuleRow(module, manifest))]));
    const faults = modules.flatMap((each) => (each.enabled || !each.fault ? [] : [each.fault]));
    if (found.status === 'rejected') throw new Error([...faults, explain(found.reason)].join('\n'));
    for (const each of faults) console.warn(`Warning: ${each}`);
  },
);

function toModuleRow(module: KnownModule, found: Manifest | undefined): string[] {
  const { name, manifest, installed, enabled } = module;
  // Names of tools begin with the prefix of the module: `shop.list_kinds`.
  const start = `${toRoutePrefix(name)}.`;
  const routes = found?.routes.filter((route) => route.module === name);
  const tools = found?.tools.filter(({ tool }) => tool.name.startsWith(start));
  return [
    name,
    manifest?.version ?? none,
    installed ? 'yes' : 'no',
    enabled ? 'yes' : 'no',
    manifest?.requires?.join(', ') || none,
    ...[routes, tools].map((own) => (enabled && own ? String(own.length) : none)),
  ];
}
