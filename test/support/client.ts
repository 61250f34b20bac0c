import './environment.ts';
import { expect } from '@jest/globals';
import * as z from 'zod/mini';
import { findRoute } from './find-route.ts';
import { administrator } from './local-server.ts';

const envelope = z.strictObject({
  code: z.string(),
  message: z.string().check(z.minLength(1)),
  data: z.unknown(),
  request_id: z.string().check(z.minLength(1)),
  errors: z.optional(z.array(z.strictObject({ path: z.string(), message: z.string() }))),
});

/** An answer of the service. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  code: string;
  message: string;
  data: unknown;
  errors: { path: string; message: string }[];
}

export interface RequestOptions {
  token?: string;
  headers?: Record<string, string>;
  /** Sent as it is when it is a string or bytes, else as JSON. */
  body?: unknown;
}

export interface Client {
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  /** Logs the test server's administrator in; returns the token. */
  login(): Promise<string>;
}

/**
 * A client that checks every answer against its declaration: the envelope, the request ID in body and header,
 * and for a success the `data` schema of the route.
 */
export function createClient(url: string): Client {
  async function send(method: string, path: string, options: RequestOptions): Promise<Answer> {
    const { token, headers = {}, body } = options;
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: isSentAsIs(body) ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const base = { status: response.status, headers: response.headers, text };
    if (text === '') return { ...base, code: '', message: '', data: undefined, errors: [] };
    const parsed = z.safeParse(envelope, readJson(text));
    if (!parsed.success) throw new Error(`${method} ${path}: ${response.status}, no envelope: ${text}`);
    const { code, message, data, request_id, errors = [] } = parsed.data;
    expect(response.headers.get('x-request-id')).toBe(request_id);
    if (response.status === 200) await checkData(method, path, data);
    return { ...base, code, message, data, errors };
  }

  const client: Client = {
    get: (path, options = {}) => send('GET', path, options),
    post: (path, body = {}, options = {}) => send('POST', path, { ...options, body }),
    async login() {
      const answer = await client.post('/adminapi/system/login/account', administrator);
      return z.parse(z.object({ token: z.string() }), answer.data).token;
    },
  };
  return client;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSentAsIs(body: unknown): body is string | Uint8Array<ArrayBuffer> | undefined {
  return body === undefined || typeof body === 'string' || body instanceof Uint8Array;
}

async function checkData(method: string, path: string, data: unknown): Promise<void> {
  const { pathname } = new URL(path, 'http://localhost');
  const route = await findRoute(method, pathname);
  if (!route) throw new Error(`${method} ${pathname} answered 200 and is no route`);
  const result = z.safeParse(route.data, data);
  if (!result.success) {
    throw new Error(`${method} ${pathname}: data does not fit its schema: ${z.prettifyError(result.error)}`);
  }
}
