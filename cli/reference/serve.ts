import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { locales } from '#shared/i18n/locale.ts';
import { root } from '../project.ts';

const pageFiles = ['index.html', 'page.css', 'page.js'];
/** From Swagger UI, with its licence. */
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

export const assetNames: readonly string[] = [...pageFiles, ...vendorFiles];

/** @returns undefined if the page does not have the file */
export function readAsset(name: string): Buffer | undefined {
  if (!assetNames.includes(name)) return undefined;
  return readFileSync(join(pageFiles.includes(name) ? pageFolder : vendorFolder, name));
}

export type ApiDocument = Record<string, unknown>;

export function readDocuments(root: string): Record<string, ApiDocument> {
  return Object.fromEntries(
    locales.map((locale) => {
      const file = join(root, '.build', 'openapi', `${locale}.json`);
      return [locale, JSON.parse(readFileSync(file, 'utf8'))];
    }),
  );
}

/** Source of `documents.js`. A script, because a page that is opened as a file cannot fetch JSON. */
export const renderDocuments = (documents: Record<string, ApiDocument>): string =>
  `globalThis.apiDocuments = ${JSON.stringify(documents)};\n`;

/** The page may connect to its own server only. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `GET /docs` and the files of the page, in the local server only. */
export async function handler(event: { pathParameters?: { file?: string } | null }) {
  const name = event.pathParameters?.file ?? 'index.html';
  const content = name === 'documents.js' ? renderDocuments(readDocuments(root)) : readAsset(name);
  if (!content) return { statusCode: 404 };
  const headers = {
    'content-type': contentTypes[extname(name)] ?? 'text/plain; charset=utf-8',
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  };
  // The page's URL has no final slash, so relative URLs need a base.
  const base = '<head>\n<base href="/docs/">';
  const body = name === 'index.html' ? content.toString().replace('<head>', base) : content;
  return { statusCode: 200, headers, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
}
