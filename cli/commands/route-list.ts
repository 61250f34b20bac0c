import { discover } from '#functions/discover.ts';
import { type FoundRoute, listMethods } from '#functions/model.ts';
import { findLogin, listThrottles } from '#shared/http/gates.ts';
import { createCommand } from '../command.ts';
import { root } from '../project.ts';
import { renderColumns } from '../terminal.ts';

const header = ['METHOD', 'PATH', 'AUTH', 'THROTTLES', 'MODULE'];

export const routeList = createCommand('route:list', 'list the routes of the enabled modules')
  .argument('[text]', 'only those that this occurs in', '')
  .action(async (text) => {
    const { routes } = await discover(root);
    const rows = routes
      .map(toRow)
      .filter((row) => row.join(' ').toLowerCase().includes(text.toLowerCase()))
      .sort(([, a = ''], [, b = '']) => (a < b ? -1 : Number(a > b)));
    if (text && rows.length === 0) throw new Error(`There is no route with "${text}"`);
    console.log(renderColumns([header, ...rows]));
  });

function toRow(found: FoundRoute): string[] {
  return [
    listMethods(found).join('|'),
    found.path,
    findLogin(found.route)?.name ?? 'open',
    listThrottles(found.route).join(', ') || '-',
    found.module,
  ];
}
