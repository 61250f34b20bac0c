import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { locales } from '#shared/i18n/locale.ts';
import type { Manifest } from '../model.ts';
import { createDocument } from './document.ts';

/** Writes the OpenAPI document of every locale to `.build/openapi/`, where it is not so already. */
export function writeDocuments(root: string, manifest: Manifest): void {
  const folder = join(root, '.build', 'openapi');
  mkdirSync(folder, { recursive: true });
  for (const locale of locales) {
    const file = join(folder, `${locale}.json`);
    const text = `${JSON.stringify(createDocument(manifest, { locale, version: readVersion(root) }))}\n`;
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
}

/** The project's own version. */
export function readVersion(root: string): string {
  const file = join(root, 'package.json');
  const { version = '0.0.0' }: { version?: string } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {};
  return version;
}
