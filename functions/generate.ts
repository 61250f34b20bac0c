import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { locales } from '#shared/i18n/locale.ts';
import { renderEntry, renderJobEntry, renderListenerEntry, renderNeed } from './bundle/entry.ts';
import { renderFallbackEntry, renderSharedEntry } from './bundle/route-keys.ts';
import { toolNeeds } from './checks/check-route-tools.ts';
import { createConsoleDescription } from './console/create-description.ts';
import { describeTools } from './discover/describe-tools.ts';
import { discover } from './discover/discover.ts';
import { createPermissionTable } from './discover/permissions.ts';
import { listSharedFunctions, type Manifest } from './model.ts';
import { fallbackName, readVersion } from './names.ts';
import { createDocument } from './openapi/document.ts';
import { readEdge } from './stacks/edge.ts';

/**
 * Discovers the modules, and writes the entries of all functions, the OpenAPI documents, the permissions and the
 * description for the console. Unchanged files are not written again.
 *
 * @throws DiscoveryError if a module breaks a rule, Error if a file cannot be made; nothing is written then
 */
export async function generate(root: string): Promise<Manifest> {
  const manifest = await discover(root);
  const entries = renderEntries(manifest);
  // All texts are made before the first is written: what the previous version needs is replaced as a whole.
  const others = renderOthers(root, manifest);
  const build = join(root, '.build');
  const folder = join(build, 'entries');
  mkdirSync(folder, { recursive: true });
  // Another process may do the same at the same time: the local server while a command runs.
  for (const file of readdirSync(folder)) {
    if (!entries.has(basename(file, '.mjs'))) rmSync(join(folder, file), { force: true });
  }
  for (const [name, text] of entries) writeChanged(join(folder, `${name}.mjs`), text);
  for (const [file, text] of others) writeChanged(join(build, file), text);
  // The build of the console replaces it. Tests and most stacks need no console.
  const site = join(build, 'console', 'site.mjs');
  if (!existsSync(site)) writeFileSync(site, 'export default undefined;\n');
  return manifest;
}

/** Sources of the entries, by function name. */
function renderEntries(manifest: Manifest): Map<string, string> {
  const { routes, jobs, listeners } = manifest;
  const isEdge = readEdge(process.env) !== undefined;
  return new Map([
    [fallbackName, renderFallbackEntry(routes, isEdge)],
    // A shared function has checked the request before it loads the entry of a route.
    ...routes.map((each): [string, string] => [
      each.functionName,
      renderEntry(each, manifest, isEdge && !each.sharedFunction),
    ]),
    ...listSharedFunctions(routes).map((each): [string, string] => [
      each.name,
      renderSharedEntry(each, isEdge),
    ]),
    ...jobs.map((each): [string, string] => [each.functionName, renderJobEntry(each)]),
    ...listeners.map((each): [string, string] => [each.functionName, renderListenerEntry(each)]),
  ]);
}

/** The other files of `.build/`, by path. */
function renderOthers(root: string, manifest: Manifest): Map<string, string> {
  const table = createPermissionTable(manifest);
  // Most functions only compare permissions: without titles they weigh a third.
  const permissions = table.permissions.map(({ title, ...permission }) => permission);
  const version = readVersion(root);
  return new Map([
    ['permission-table.json', JSON.stringify(table)],
    ['permissions.json', JSON.stringify(permissions)],
    ['tools.json', JSON.stringify(describeTools(manifest))],
    ...toolNeeds.map((need): [string, string] => [`needs/${need}.mjs`, renderNeed(need, manifest)]),
    ...locales.map((locale): [string, string] => [
      `openapi/${locale}.json`,
      `${JSON.stringify(createDocument(manifest, { locale, version }))}\n`,
    ]),
    ['console/description.json', `${JSON.stringify(createConsoleDescription(manifest))}\n`],
  ]);
}

function writeChanged(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
