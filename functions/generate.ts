import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { locales } from '#shared/i18n/locale.ts';
import { discover } from './discover.ts';
import { renderEntry, renderFallbackEntry, renderJobEntry, renderListenerEntry } from './entry.ts';
import type { Manifest } from './model.ts';
import { fallbackName, readVersion } from './names.ts';
import { createDocument } from './openapi/document.ts';

/**
 * Discovers the modules and writes the entry of each function to `.build/entries/`, and what describes the API
 * to `.build/openapi/`. Entries that are already as they should be are not touched, those of routes that are
 * gone are removed.
 *
 * @param root the project's folder
 * @throws DiscoveryError when a module breaks a rule; nothing is written then
 */
export async function generate(root: string): Promise<Manifest> {
  const manifest = await discover(root);
  const folder = join(root, '.build', 'entries');
  mkdirSync(folder, { recursive: true });
  const entries = new Map([[`${fallbackName}.mjs`, renderFallbackEntry(manifest.routes)]]);
  for (const route of manifest.routes) {
    entries.set(`${route.functionName}.mjs`, renderEntry(route, manifest));
  }
  for (const job of manifest.jobs) entries.set(`${job.functionName}.mjs`, renderJobEntry(job));
  for (const listener of manifest.listeners) {
    entries.set(`${listener.functionName}.mjs`, renderListenerEntry(listener, manifest));
  }
  // Another process, as the local server beside a command, may do the same work at the same time.
  for (const file of readdirSync(folder)) if (!entries.has(file)) rmSync(join(folder, file), { force: true });
  for (const [file, text] of entries) writeChanged(join(folder, file), text);
  writeDocuments(root, manifest);
  return manifest;
}

/** Writes the OpenAPI document of every locale to `.build/openapi/`. */
function writeDocuments(root: string, manifest: Manifest): void {
  const folder = join(root, '.build', 'openapi');
  mkdirSync(folder, { recursive: true });
  for (const locale of locales) {
    const document = createDocument(manifest, { locale, version: readVersion(root) });
    writeChanged(join(folder, `${locale}.json`), `${JSON.stringify(document)}\n`);
  }
}

/** Leaves a file that holds the text already untouched. */
function writeChanged(file: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
