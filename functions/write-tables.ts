import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Throttle } from '#shared/throttle/throttles.ts';
import { platform } from './discover/discover-owners.ts';
import { createPermissionTable, renderPermissions } from './discover/permissions.ts';
import type { Declarations, Owner } from './model.ts';
import { mapValues } from './openapi/json-schema.ts';
import { describeRule } from './openapi/operation.ts';
import { writeFiles } from './write-files.ts';

/** Pages of `docs/`, each with its generated table. */
const tables: Record<string, (root: string, manifest: Declarations) => string[][]> = {
  'docs/errors.md': listErrors,
  'docs/api.md': listThrottles,
};

/** The pages with current tables, by path, and `permissions.txt`. */
export function renderPages(root: string, manifest: Declarations): Record<string, string> {
  const pages = mapValues(tables, (list, file) => {
    const rows = list(root, manifest).map((cells) => `| ${cells.join(' | ')} |\n`);
    const page = readFileSync(join(root, file), 'utf8');
    const [header = ''] = rows;
    const start = page.indexOf(header);
    if (start < 0) throw new Error(`${file} has no table that begins with ${header}`);
    const end = page.indexOf('\n\n', start);
    return page.slice(0, start) + rows.join('') + (end < 0 ? '' : page.slice(end + 1));
  });
  return { ...pages, 'permissions.txt': renderPermissions(createPermissionTable(manifest)) };
}

export function writePages(root: string, manifest: Declarations): void {
  writeFiles(root, new Map(Object.entries(renderPages(root, manifest))));
}

function listErrors(root: string, { modules }: Declarations): string[][] {
  const rows = [platform, ...modules].flatMap((owner) => {
    const comments = readComments(root, owner);
    return Object.entries(owner.errors).map(([code, status]) => {
      const when = comments.get(code);
      if (!when) throw new Error(`${owner.files.errors}: describe ${code} in a comment`);
      return [`\`${code}\``, String(status), when];
    });
  });
  return [['code', 'HTTP', 'when'], Array(3).fill('---'), ...rows];
}

/** The comment of each error code: on its line, or on the lines above. */
function readComments(root: string, { errors, files }: Owner): Map<string, string> {
  const comments = new Map<string, string>();
  if (Object.keys(errors).length === 0) return comments;
  let above: string[] = [];
  for (const line of readFileSync(join(root, files.errors), 'utf8').split('\n')) {
    const [, comment] = /^\s*\/\/ (.+)$/.exec(line) ?? [];
    const [, code, beside] = /^\s*'?([a-z0-9._]+)'?: \d+,(?: \/\/ (.+))?$/.exec(line) ?? [];
    if (code) comments.set(code, [...above, ...(beside ? [beside] : [])].join(' '));
    above = comment ? [...above, comment] : [];
  }
  return comments;
}

function listThrottles(_root: string, { modules, routes }: Declarations): string[][] {
  const listRoutes = (name: string) =>
    routes
      .filter(({ throttles }) => throttles.some((each) => each.name === name))
      .map(({ path, route }) => `\`${route.method} ${path}\``)
      .sort();
  const rows = [platform, ...modules].flatMap(({ throttles }) =>
    Object.entries<Throttle>(throttles).map(([name, { rules, fallback }]) => [
      `\`${name}\``,
      rules.map((rule) => describeRule(rule).en).join('; '),
      fallback,
      listRoutes(name).join(', '),
    ]),
  );
  return [['name', 'limit', 'counted without the cache', 'routes'], Array(4).fill('---'), ...rows];
}
