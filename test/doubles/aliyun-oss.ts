import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerObject, find, type OssObjects } from './oss-objects.ts';
import { copyObject, postObject, putObject } from './oss-operations.ts';
import { newRequestId, OssRefusal } from './oss-refusal.ts';
import type { OssRequest } from './oss-signatures.ts';
import { type RunningDouble, serveRaw } from './serve.ts';
import { verifyOssHeader } from './verify-oss.ts';
import { verifyOssLink } from './verify-oss-link.ts';

export interface AliyunOssRules {
  bucket: string;
  /** Secrets by AccessKey ID. */
  keys: Record<string, string>;
  /** @default 'cn-hangzhou' */
  region?: string;
  /** The host that is bound to the bucket. @default 'localhost' */
  boundHost?: 'localhost' | '127.0.0.1';
  /** Whether PostObject knows the field `x-oss-content-type`. @default true */
  knowsTypeField?: boolean;
  /** Whether files are read by signed requests only. @default false */
  isPrivate?: boolean;
}

export interface AliyunOssDouble extends RunningDouble {
  /** The same as `url` with a host name, which is the domain bound to the bucket. */
  boundUrl: string;
  objects: OssObjects;
  /** How far the service's clock is ahead. */
  clockOffsetSeconds: number;
  /** Answers in place of the service if it returns true, before the body is read. */
  interfere?(incoming: IncomingMessage, response: ServerResponse): boolean;
  /** Methods and paths of all requests, in order. */
  requests: string[];
}

/**
 * Object storage of Alibaba Cloud with one bucket, public-read unless the rules say otherwise, by its public documentation. It takes
 * the bucket's name before the host (`<bucket>.…`), in the path (hosts that are addresses), or from the host
 * bound to it.
 */
export async function startAliyunOss(rules: AliyunOssRules): Promise<AliyunOssDouble> {
  const objects: OssObjects = new Map();
  const gateway = {
    keys: rules.keys,
    region: rules.region ?? 'cn-hangzhou',
    now: () => Date.now() + double.clockOffsetSeconds * 1000,
  };
  const bucket = { objects, gateway, knowsTypeField: rules.knowsTypeField ?? true };

  async function answer(request: OssRequest, body: Buffer, response: ServerResponse): Promise<void> {
    if (request.bucket !== rules.bucket) {
      throw new OssRefusal(404, 'NoSuchBucket', 'The specified bucket does not exist.', '0015-00000101');
    }
    if (request.method === 'POST' && request.key === '') return postObject(bucket, request, body, response);
    const isSigned = verifyOssHeader(request, gateway) || verifyOssLink(request, gateway);
    if (!isSigned) checkAnonymous(request, objects, rules);
    const { method, key } = request;
    if (method === 'GET' || method === 'HEAD') return answerObject(find(objects, key), request, response);
    if (method === 'DELETE') {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (method !== 'PUT') throw new OssRefusal(405, 'MethodNotAllowed', 'The method is not allowed.');
    if (request.headers['x-oss-copy-source'] !== undefined) copyObject(bucket, request, response);
    else putObject(bucket, request, body, response);
  }

  const running = await serveRaw(async (incoming, response) => {
    double.requests.push(`${incoming.method} ${incoming.url}`);
    if (double.interfere?.(incoming, response)) return;
    const requestId = newRequestId();
    response.setHeader('server', 'AliyunOSS').setHeader('x-oss-request-id', requestId);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    try {
      await answer(readRequest(incoming, rules), Buffer.concat(chunks), response);
    } catch (error) {
      if (!(error instanceof OssRefusal)) throw error;
      const xml = error.toXml(requestId, incoming.headers.host ?? '');
      response.setHeader('x-oss-ec', error.ec).setHeader('content-type', 'application/xml');
      if (incoming.method !== 'HEAD') response.writeHead(error.status).end(xml);
      else response.writeHead(error.status, { 'x-oss-err': Buffer.from(xml).toString('base64') }).end();
    }
  });
  const boundUrl = running.url.replace('127.0.0.1', 'localhost');
  const double: AliyunOssDouble = { ...running, boundUrl, objects, clockOffsetSeconds: 0, requests: [] };
  return double;
}

/** Reads bucket and key from host and path. */
function readRequest(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  rules: AliyunOssRules,
): OssRequest {
  const { bucket: bound, boundHost = 'localhost' } = rules;
  const { pathname, searchParams: query } = new URL(url, 'http://host');
  const path = decodeURIComponent(pathname.slice(1));
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  if (host === boundHost) return { method, query, headers, bucket: bound, key: path };
  const [first = '', ...rest] = path.split('/');
  if (/^[\d.]+$/.test(host)) return { method, query, headers, bucket: first, key: rest.join('/') };
  return { method, query, headers, bucket: host.split('.')[0] ?? '', key: path };
}

/** An object may have an ACL of its own. */
function checkAnonymous(
  { method, key }: OssRequest,
  objects: OssObjects,
  { isPrivate = false }: AliyunOssRules,
): void {
  const acl = objects.get(key)?.acl ?? 'default';
  const isRead = method === 'GET' || method === 'HEAD';
  const isOpen = acl === 'public-read' || (acl === 'default' && !isPrivate);
  if (acl === 'public-read-write' || (isRead && isOpen)) return;
  const message = `You have no right to access this object because of ${acl === 'default' ? 'bucket' : 'object'} acl.`;
  throw new OssRefusal(403, 'AccessDenied', message, '0003-00000001');
}
