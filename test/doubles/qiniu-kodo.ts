import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerDownload } from './qiniu-download.ts';
import { decodeUrlSafe, type QiniuRefusal, verifyManagement } from './qiniu-signatures.ts';
import { acceptUpload, type KodoObject } from './qiniu-upload.ts';
import { readForm } from './read-form.ts';
import { type DoubleRequest, type RunningDouble, serveRaw } from './serve.ts';

export interface QiniuKodoRules {
  bucket: string;
  accessKey: string;
  secretKey: string;
  /** Whether files are read by signed links only. @default false */
  isPrivate?: boolean;
  /** Another bucket, whose files are read at `privateUrl` by signed links only. */
  privateBucket?: string;
}

export interface QiniuKodoDouble extends RunningDouble {
  /** `127.0.0.1:<port>`. */
  host: string;
  objects: Map<string, KodoObject>;
  privateObjects: Map<string, KodoObject>;
  /** The domain of the private bucket: `http://localhost:<port>`. */
  privateUrl: string;
  /** Offset of its clock, in seconds. */
  clockOffset: number;
  /** The hosts that a region query is answered with. @default this one */
  regionHosts: { up: string[]; rs: string[] };
  /** Every request's method and path, refused ones included. */
  requests: string[];
  /** Requests whose signature holds the port twice: the real service would refuse them. */
  doubledPorts: number;
  /** Answers in place of the service if it is set and returns true. */
  misbehave?: (incoming: IncomingMessage, response: ServerResponse) => boolean;
}

type Answer = QiniuRefusal | { body: unknown };

/**
 * Qiniu's object storage by its public documentation: uploads by form, the management API, the region query
 * and the domain that files are read from, all at one host.
 */
export async function startQiniuKodo(rules: QiniuKodoRules): Promise<QiniuKodoDouble> {
  const objects = new Map<string, KodoObject>();
  const privateObjects = new Map<string, KodoObject>();
  const findObjects = (bucket: unknown) => {
    if (bucket === rules.bucket) return objects;
    return bucket !== undefined && bucket === rules.privateBucket ? privateObjects : undefined;
  };
  const gate = {
    keys: { [rules.accessKey]: rules.secretKey },
    now: () => Date.now() + double.clockOffset * 1000,
  };

  function manage(request: DoubleRequest): Answer {
    const verdict = verifyManagement(request, gate);
    if (typeof verdict === 'object') return verdict;
    if (verdict === 'doubled') double.doubledPorts += 1;
    const [, operation, entry = '', , type = ''] = request.path.split('/');
    const [bucket, key = ''] = decodeUrlSafe(entry).split(/:(.*)/s);
    const found = findObjects(bucket);
    if (!found) return { status: 631, error: 'no such bucket' };
    const object = found.get(key);
    if (!object) return { status: 612, error: 'no such file or directory' };
    const { hash, mimeType, putTime, bytes } = object;
    if (operation === 'stat') return { body: { fsize: bytes.length, hash, mimeType, putTime, type: 0 } };
    if (request.method !== 'POST') return { status: 405, error: 'method not allowed' };
    if (operation === 'delete') found.delete(key);
    else found.set(key, { ...object, mimeType: decodeUrlSafe(type) });
    return { body: {} };
  }

  function queryRegion(query: URLSearchParams): Answer {
    if (query.get('ak') !== rules.accessKey || !findObjects(query.get('bucket'))) {
      return { status: 631, error: 'no such bucket' };
    }
    const { up, rs } = double.regionHosts;
    const [io, rsf, api, uc] = [rs, rs, rs, rs].map((domains) => ({ domains }));
    const region = { region: 'z0', ttl: 86_400, up: { domains: up }, rs: { domains: rs }, io, rsf, api, uc };
    return { body: { hosts: [region] } };
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = incoming;
    double.requests.push(`${method} ${url.split('?')[0]}`);
    if (double.misbehave?.(incoming, response)) return;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const [path = '/', query = ''] = url.split('?', 2);
    if (/^\/(?:stat|delete|chgm)\//.test(path)) {
      return send(response, manage({ method, path, query, headers, body: bytes.toString() }));
    }
    if (path === '/v4/query') return send(response, queryRegion(new URLSearchParams(query)));
    if (path === '/' && method === 'POST') {
      const form = await readForm(headers, bytes, { goesOn: true });
      return send(response, acceptUpload(form, { findObjects, gate }));
    }
    if (headers.host === new URL(double.privateUrl).host) {
      return answerDownload({ incoming, response, objects: privateObjects, gate });
    }
    answerDownload({ incoming, response, objects, gate: rules.isPrivate ? gate : undefined });
  }

  const running = await serveRaw(handle);
  const host = new URL(running.url).host;
  const double: QiniuKodoDouble = {
    ...running,
    host,
    objects,
    privateObjects,
    privateUrl: running.url.replace('127.0.0.1', 'localhost'),
    clockOffset: 0,
    regionHosts: { up: [host], rs: [host] },
    requests: [],
    doubledPorts: 0,
  };
  return double;
}

function send(response: ServerResponse, answer: Answer): void {
  const status = 'error' in answer ? answer.status : 200;
  const body = 'error' in answer ? { code: status, error: answer.error } : answer.body;
  response
    .writeHead(status, { 'content-type': 'application/json', 'x-reqid': 'AAAA' })
    .end(JSON.stringify(body));
}
