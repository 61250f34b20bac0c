import { root } from '../project.ts';
import { type Asset, readAsset, readDocuments, renderDocuments } from './assets.ts';

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
