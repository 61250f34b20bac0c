import { discover } from '#functions/discover.ts';
import { type FoundRoute, listMethods } from '#functions/model.ts';
import type { Route } from '#shared/http/route.ts';
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
  const throttles = found.route.middleware.filter((name) => name.startsWith('throttle:'));
  return [
    listMethods(found).join('|'),
    found.path,
    nameAuth(found.route),
    throttles.map((name) => name.slice('throttle:'.length)).join(', ') || '-',
    found.module,
  ];
}

/** Who may call, in the words of the specification. */
function nameAuth({ area, access, middleware }: Route): string {
  if (access === 'required') return `${area}.auth`;
  return middleware.find((name) => !name.startsWith('throttle:')) ?? 'open';
}
