import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@jest/globals';
import { discover } from '#functions/discover.ts';
import { createDocument } from '#functions/openapi/document.ts';
import type { Locale } from '#shared/i18n/locale.ts';
import { createTempDir, projectRoot } from '../support/local-server.ts';

const installed = join(projectRoot, 'test/clients/node_modules/.bin');

/** A program of `test/clients/package.json`. */
export const program = (name: string): string => join(installed, name);

/** Skipped without `npm ci --prefix test/clients`, except under `CI`. */
export const programTest = existsSync(installed) || process.env.CI ? test : test.skip;

/** Writes the OpenAPI document of this project's modules in each locale. Returns the files. */
export async function writeDocuments(): Promise<Record<Locale, string>> {
  const manifest = await discover(projectRoot, (file) => import(file));
  const folder = createTempDir();
  const write = (locale: Locale): string => {
    const file = join(folder, `${locale}.json`);
    writeFileSync(file, JSON.stringify(createDocument(manifest, { locale, version: '1.2.3' })));
    return file;
  };
  return { zh_CN: write('zh_CN'), en: write('en') };
}
