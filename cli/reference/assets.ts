import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { locales } from '#shared/i18n/locale.ts';

/** Files of the page that are ours. */
const pageFiles = ['index.html', 'page.css', 'page.js'];
/** Files that are of Swagger UI, its licence among them. */
const vendorFiles = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
];

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

const pageFolder = join(import.meta.dirname, 'page');
const vendorFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** A file of the reference page. */
export interface Asset {
  contentType: string;
  bytes: Buffer;
}

/** Every file of the page but `documents.js`, by name. */
export const assetNames: readonly string[] = [...pageFiles, ...vendorFiles];

/** @returns undefined where the page has no such file */
export function readAsset(name: string): Asset | undefined {
  if (!assetNames.includes(name)) return undefined;
  const folder = pageFiles.includes(name) ? pageFolder : vendorFolder;
  const contentType = contentTypes[extname(name)] ?? 'text/plain; charset=utf-8';
  return { contentType, bytes: readFileSync(join(folder, name)) };
}

/** An OpenAPI document on its way to the page. */
export type ApiDocument = Record<string, unknown>;

/** The documents that the last generation has written, by locale. */
export function readDocuments(root: string): Record<string, ApiDocument> {
  return Object.fromEntries(
    locales.map((locale) => {
      const file = join(root, '.build', 'openapi', `${locale}.json`);
      return [locale, JSON.parse(readFileSync(file, 'utf8'))];
    }),
  );
}

/**
 * Source of `documents.js`, which hands the documents to the page. A script and no JSON: a page that was opened
 * as a file may fetch nothing.
 */
export const renderDocuments = (documents: Record<string, ApiDocument>): string =>
  `globalThis.apiDocuments = ${JSON.stringify(documents)};\n`;
