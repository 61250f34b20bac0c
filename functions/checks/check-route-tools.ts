import { rawAnswer } from '#shared/http/raw-answer.ts';
import type { Need } from '#shared/http/route.ts';
import { checkSchema } from '../discover/discover-tools.ts';
import { findPermission, findRouteOf } from '../discover/permissions.ts';
import type { FoundRoute, Manifest } from '../model.ts';
import { listFaults } from '../scope.ts';

/** What tools, and routes of tools, may ask for. */
export const toolNeeds = [
  'modules',
  'permissions',
  'permissionTable',
  'contributions',
] as const satisfies Need[];

/** Problems of tools that are made of a route. */
export const checkRouteTools = ({ tools, routes }: Pick<Manifest, 'tools' | 'routes'>): string[] =>
  tools.flatMap(({ tool, file }) => {
    if (!tool.route) return checkNeeds(tool.needs).map((fault) => `${file}: ${fault}`);
    const found = findRouteOf(tool, routes);
    if (!found) return [`${file}: its route is not the default export of a route file of an enabled module`];
    const faults = checkRoute(found);
    const inputFaults = faults.length > 0 ? [] : checkSchema(tool.inputSchema);
    return [...faults, ...inputFaults].map((fault) => `${file}: ${found.file} cannot be a tool: ${fault}`);
  });

function checkRoute(found: FoundRoute): string[] {
  const {
    query,
    body,
    data,
    needs = [],
    parser,
    storage,
    asksFor,
    right,
    parts,
    middleware,
    area,
    recentFactor,
  } = found.route;
  const hasPermission = area === 'admin' && typeof findPermission(found) === 'object';
  return listFaults({
    'it has no permission of its own; take a route of Admin/ that is neither open nor for every login':
      !hasPermission,
    'its handler asks for permissions itself':
      right === 'handler' || parts !== undefined || (asksFor?.length ?? 0) > 0,
    [`its gate ${middleware.join(', ')} does not run for tools`]: middleware.length > 0,
    'it asks for a second factor that was given lately, and a tool cannot give one': recentFactor === true,
    'it answers something else than JSON data': data === rawAnswer,
    'its body is not plain JSON': parser !== undefined,
    'it has a query and a body, and a tool has one input': query !== undefined && body !== undefined,
    'it uses the disk of its function': storage === true,
  }).concat(checkNeeds(needs));
}

function checkNeeds(needs: readonly string[] = []): string[] {
  const others = needs.filter((need) => !toolNeeds.some((each) => each === need));
  return listFaults({
    [`it needs ${others.join(', ')}; tools and their routes may need ${toolNeeds.join(', ')}`]:
      others.length > 0,
  });
}
