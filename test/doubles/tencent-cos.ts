import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { checkCosForm } from './cos-form.ts';
import {
  type CosAnswer,
  type CosBucket,
  type CosStored,
  copyObject,
  deleteObject,
  getObject,
  putObject,
  storeForm,
} from './cos-operations.ts';
import { readForm } from './read-form.ts';
import { type RunningDouble, serveRaw } from './serve.ts';
import { type CosRefusal, isCosSigned, verifyCosRequest } from './verify-cos.ts';

export interface TencentCosRules {
  bucket: string;
  region: string;
  /** Secrets by SecretId. */
  keys: Record<string, string>;
  /** Whether the bucket keeps versions, or did. @default false */
  keepsVersions?: boolean;
  /** Whether files are read by signed requests only. @default false */
  isPrivate?: boolean;
}

/** Replaces an answer: by none, by half of it, by a failure after the work, or by another one. */
export type CosMisbehaviour = 'hangs' | 'breaks off' | 'loses its answer' | CosAnswer;

export interface TencentCosDouble extends RunningDouble {
  /** By key. */
  objects: Map<string, CosStored>;
  /** What came, in order, as `PUT /key`. */
  requests: string[];
  /** Offset of its clock, in seconds. */
  clockSeconds: number;
  /** How a request goes wrong. */
  misbehave?(request: string): CosMisbehaviour | undefined;
}

/**
 * One bucket of Tencent Cloud Object Storage, public-read unless the rules say otherwise, behind a domain bound to it, by the public
 * documentation of its XML API.
 */
export async function startTencentCos(rules: TencentCosRules): Promise<TencentCosDouble> {
  const objects = new Map<string, CosStored>();
  const { bucket: name, region, keepsVersions = false, keys } = rules;
  const bucket: CosBucket = { name, region, objects, keepsVersions };
  const signatures = { keys, now: () => Date.now() + double.clockSeconds * 1000 };

  async function answerForm(incoming: IncomingMessage): Promise<CosAnswer | CosRefusal> {
    const read = await readForm(incoming.headers, await buffer(incoming));
    const key = read?.fields.get('key');
    if (!read?.file || !key)
      return { status: 400, code: 'MalformedPOSTRequest', message: 'no file, or no key' };
    const { fields, file } = read;
    fields.set(
      'key',
      key.replace(/\$\{filename\}/, () => file.fileName),
    );
    return checkCosForm({ fields, file }, name, signatures) ?? storeForm(bucket, { fields, file });
  }

  async function answer(incoming: IncomingMessage): Promise<CosAnswer | CosRefusal> {
    const { method = '', url = '', headers } = incoming;
    if (headers.host !== new URL(double.url).host) return noBucket;
    const [path = '', query = ''] = url.split('?', 2);
    if (method === 'POST' && path === '/') return answerForm(incoming);
    const bytes = await buffer(incoming);
    const isReading = method === 'GET' || method === 'HEAD';
    const refusal = isCosSigned(query, headers)
      ? verifyCosRequest({ method, path, query, headers }, signatures)
      : isReading && !rules.isPrivate
        ? undefined
        : accessDenied;
    if (refusal) return refusal;
    const key = decodeURIComponent(path.slice(1));
    if (isReading) return getObject(bucket, key, headers.range);
    if (method === 'DELETE') return deleteObject(bucket, key);
    if (method !== 'PUT') return { status: 405, code: 'MethodNotAllowed', message: method };
    if (headers['x-cos-copy-source'] !== undefined) return copyObject(bucket, key, headers);
    return putObject(bucket, key, headers, bytes);
  }

  const running = await serveRaw(async (incoming, response) => {
    const request = `${incoming.method} ${decodeURIComponent(incoming.url ?? '')}`;
    double.requests.push(request);
    const wrong = double.misbehave?.(request);
    if (wrong === 'hangs') return;
    const given = typeof wrong === 'object' ? wrong : await answer(incoming);
    if (wrong === 'loses its answer') return void incoming.socket.destroy();
    response.setHeader('date', new Date(signatures.now()).toUTCString());
    write(response, 'code' in given ? toDocument(given, request) : given, wrong === 'breaks off');
  });
  const double: TencentCosDouble = { ...running, objects, requests: [], clockSeconds: 0 };
  return double;
}

const noBucket = { status: 404, code: 'NoSuchBucket', message: 'The specified bucket does not exist.' };
const accessDenied = { status: 403, code: 'AccessDenied', message: 'Access Denied.' };

function toDocument({ status, code, message }: CosRefusal, request: string): CosAnswer {
  const toText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const parts = {
    Code: code,
    Message: message,
    Resource: request,
    RequestId: randomUUID(),
    TraceId: randomUUID(),
  };
  const body = Object.entries(parts).map(([name, text]) => `<${name}>${toText(text)}</${name}>`);
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version='1.0' encoding='utf-8' ?>\n<Error>${body.join('')}</Error>`,
  };
}

/** @param isCut whether the connection breaks in the middle of the body */
function write(response: ServerResponse, { status, headers, body = '' }: CosAnswer, isCut: boolean): void {
  const bytes = Buffer.from(body);
  const length = status === 204 ? {} : { 'content-length': bytes.length };
  response.writeHead(status, {
    server: 'tencent-cos',
    'x-cos-request-id': randomUUID(),
    ...headers,
    ...length,
  });
  if (!isCut) return void response.end(response.req.method === 'HEAD' ? undefined : bytes);
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}
