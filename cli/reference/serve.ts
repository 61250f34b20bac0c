import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { locales } from '#shared/i18n/locale.ts';
import { root } from '../project.ts';

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

/** The page talks to the server that it comes from, and to nobody else. */
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

/** What of API Gateway's event tells the file. */
interface PageEvent {
  pathParameters?: { file?: string } | null;
}

/** `GET /docs` and the files of the page, in the local server only. */
export async function handler(event: PageEvent) {
  const name = event.pathParameters?.file ?? 'index.html';
  const asset = name === 'documents.js' ? createDocuments() : readAsset(name);
  if (!asset) return { statusCode: 404 };
  const headers = {
    'content-type': asset.contentType,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  };
  // The page lies at a path without a slash behind it, its files below.
  const bytes = name === 'index.html' ? addBase(asset.bytes) : asset.bytes;
  return { statusCode: 200, headers, body: bytes.toString('base64'), isBase64Encoded: true };
}

function createDocuments(): Asset {
  const text = renderDocuments(readDocuments(root));
  return { contentType: 'text/javascript; charset=utf-8', bytes: Buffer.from(text) };
}

const addBase = (html: Buffer): Buffer =>
  Buffer.from(html.toString().replace('<head>', '<head>\n<base href="/docs/">'));
