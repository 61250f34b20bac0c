import { discover } from '#functions/discover.ts';
import { type FoundRoute, listMethods } from '#functions/model.ts';
import { findLogin, listThrottles } from '#shared/http/gates.ts';
import { listTools } from '#shared/tools/list-tools.ts';
import { createRegistry } from '#shared/tools/registry.ts';
import { createCommand } from '../command.ts';
import { root } from '../project.ts';
import { printWarnings, renderColumns } from '../terminal.ts';

export const routeList = createCommand('route:list', 'list the routes of the enabled modules')
  .argument('[text]', 'only those that this occurs in', '')
  .action(async (text) => {
    const { routes } = await discover(root);
    const rows = routes.map(toRow).sort(([, a = ''], [, b = '']) => (a < b ? -1 : Number(a > b)));
    printRows('route', ['METHOD', 'PATH', 'AUTH', 'THROTTLES', 'MODULE'], rows, text);
  });

export const toolList = createCommand('tool:list', 'list the tools of the enabled modules')
  .argument('[text]', 'only those that this occurs in', '')
  .action(async (text) => {
    const found = await discover(root);
    printWarnings(found);
    const registry = createRegistry(
      found.tools.map(({ tool }) => tool),
      found.adapters.map(({ adapter }) => adapter),
    );
    const modules = new Map(found.tools.map(({ tool, file }) => [tool.name, file.split('/')[1]]));
    const rows = listTools(registry).map(({ name, access, chat, description }) => {
      return [name, access, chat ? 'yes' : 'no', modules.get(name) ?? '', description];
    });
    printRows('tool', ['TOOL', 'ACCESS', 'ASSISTANT', 'MODULE', 'DESCRIPTION'], rows, text);
  });

/** Prints the rows that a text occurs in. @throws Error if it occurs in none */
function printRows(kind: string, header: string[], rows: readonly string[][], text: string): void {
  const found = rows.filter((row) => row.join(' ').toLowerCase().includes(text.toLowerCase()));
  if (text && found.length === 0) throw new Error(`There is no ${kind} with "${text}"`);
  console.log(renderColumns([header, ...found]));
}

function toRow(found: FoundRoute): string[] {
  return [
    listMethods(found).join('|'),
    found.path,
    findLogin(found.route)?.name ?? 'open',
    listThrottles(found.route).join(', ') || '-',
    found.module,
  ];
}
