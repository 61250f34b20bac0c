import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dimension, Throttle, ThrottleRule } from '#shared/throttle/throttles.ts';
import { platform } from './discover-owners.ts';
import type { Manifest, Owner } from './model.ts';

type Tables = Pick<Manifest, 'modules' | 'routes'>;

/** Pages of `docs/`, each with the table in it that follows from what the platform and the modules declare. */
const tables: Record<string, (root: string, manifest: Tables) => string[][]> = {
  'docs/errors.md': listErrors,
  'docs/api.md': listThrottles,
};

/** The pages as they shall be, by their paths. */
export function renderPages(root: string, manifest: Tables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tables).map(([file, list]) => {
      const rows = list(root, manifest).map((cells) => `| ${cells.join(' | ')} |\n`);
      const page = readFileSync(join(root, file), 'utf8');
      const [header = ''] = rows;
      const start = page.indexOf(header);
      if (start < 0) throw new Error(`${file} has no table that begins with ${header}`);
      const end = page.indexOf('\n\n', start);
      return [file, page.slice(0, start) + rows.join('') + (end < 0 ? '' : page.slice(end + 1))];
    }),
  );
}

/** Writes the tables into the pages. */
export function writePages(root: string, manifest: Tables): void {
  for (const [file, page] of Object.entries(renderPages(root, manifest))) {
    writeFileSync(join(root, file), page);
  }
}

function listErrors(root: string, { modules }: Tables): string[][] {
  const rows = [platform, ...modules].flatMap((owner) => {
    const comments = readComments(root, owner);
    return Object.entries(owner.errors).map(([code, status]) => {
      const when = comments.get(code);
      if (!when) throw new Error(`${owner.files.errors}: say in a comment when ${code} is answered`);
      return [`\`${code}\``, String(status), when];
    });
  });
  return [['code', 'HTTP', 'when'], Array(3).fill('---'), ...rows];
}

/** The comment of each code of a file: beside it, or in the lines above. */
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

const windows: Record<number, string> = { 60: 'a minute', 3600: 'an hour', 86400: 'a day' };
const dimensions: Record<Dimension, string> = {
  address: 'an address',
  account: 'an account',
  mobile: 'a mobile',
  principal: 'a principal',
  guest_address: "a guest's address",
  refused_address: 'an address (refused tokens only)',
  ticket: 'a ticket',
};

function describeRule({ by, limit, windowSeconds }: ThrottleRule): string {
  const who = by.map((dimension) => dimensions[dimension]).join(' from ');
  return `${limit.toLocaleString('en')} ${windows[windowSeconds] ?? `in ${windowSeconds} s`} for ${who}`;
}

function listThrottles(_root: string, { modules, routes }: Tables): string[][] {
  const listRoutes = (name: string) =>
    routes
      .filter(({ throttles }) => throttles.some((each) => each.name === name))
      .map(({ path, route }) => `\`${route.method} ${path}\``)
      .sort();
  const rows = [platform, ...modules].flatMap(({ throttles }) =>
    Object.entries<Throttle>(throttles).map(([name, { rules, fallback }]) => [
      `\`${name}\``,
      rules.map(describeRule).join('; '),
      fallback,
      listRoutes(name).join(', '),
    ]),
  );
  return [['name', 'limit', 'counted without the cache', 'routes'], Array(4).fill('---'), ...rows];
}
