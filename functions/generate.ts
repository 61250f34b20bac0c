import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { locales } from '#shared/i18n/locale.ts';
import { toolNeeds } from './check-route-tools.ts';
import { createConsoleDescription } from './console/create-description.ts';
import { describeTools } from './describe-tools.ts';
import { discover } from './discover.ts';
import {
  renderEntry,
  renderFallbackEntry,
  renderJobEntry,
  renderListenerEntry,
  renderNeed,
} from './entry.ts';
import type { Manifest } from './model.ts';
import { fallbackName, readVersion } from './names.ts';
import { createDocument } from './openapi/document.ts';
import { createPermissionTable } from './permissions.ts';

/**
 * Discovers the modules, and writes the entries of all functions, the OpenAPI documents, the permissions and the
 * description for the console. Unchanged files are not written again.
 *
 * @throws DiscoveryError if a module breaks a rule; nothing is written then
 */
export async function generate(root: string): Promise<Manifest> {
  const manifest = await discover(root);
  const folder = join(root, '.build', 'entries');
  mkdirSync(folder, { recursive: true });
  const entries = new Map([[fallbackName, renderFallbackEntry(manifest.routes)]]);
  for (const route of manifest.routes) entries.set(route.functionName, renderEntry(route, manifest));
  for (const job of manifest.jobs) entries.set(job.functionName, renderJobEntry(job));
  for (const each of manifest.listeners) entries.set(each.functionName, renderListenerEntry(each));
  // Another process may do the same at the same time: the local server while a command runs.
  for (const file of readdirSync(folder)) {
    if (!entries.has(basename(file, '.mjs'))) rmSync(join(folder, file), { force: true });
  }
  for (const [name, text] of entries) writeChanged(join(folder, `${name}.mjs`), text);
  const table = createPermissionTable(manifest);
  writeChanged(join(root, '.build', 'permission-table.json'), JSON.stringify(table));
  // Most functions only compare permissions: without titles they weigh a third.
  const permissions = table.permissions.map(({ title, ...permission }) => permission);
  writeChanged(join(root, '.build', 'permissions.json'), JSON.stringify(permissions));
  writeChanged(join(root, '.build', 'tools.json'), JSON.stringify(describeTools(manifest)));
  mkdirSync(join(root, '.build', 'needs'), { recursive: true });
  for (const need of toolNeeds) {
    writeChanged(join(root, '.build', 'needs', `${need}.mjs`), renderNeed(need, manifest));
  }
  const documents = join(root, '.build', 'openapi');
  mkdirSync(documents, { recursive: true });
  for (const locale of locales) {
    const document = createDocument(manifest, { locale, version: readVersion(root) });
    writeChanged(join(documents, `${locale}.json`), `${JSON.stringify(document)}\n`);
  }
  mkdirSync(join(root, '.build', 'console'), { recursive: true });
  const description = createConsoleDescription(manifest);
  writeChanged(join(root, '.build', 'console', 'description.json'), `${JSON.stringify(description)}\n`);
  // `cli/console/build.ts` replaces it. Tests and most stacks need no console.
  const site = join(root, '.build', 'console', 'site.mjs');
  if (!existsSync(site)) writeFileSync(site, 'export default undefined;\n');
  return manifest;
}

function writeChanged(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
