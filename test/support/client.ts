import './environment.ts';
import { expect } from '@jest/globals';
import * as z from 'zod/mini';
import { findRoute } from './find-route.ts';

const envelope = z.strictObject({
  code: z.string(),
  message: z.string().check(z.minLength(1)),
  data: z.unknown(),
  request_id: z.string().check(z.minLength(1)),
  errors: z.optional(z.array(z.strictObject({ path: z.string(), message: z.string() }))),
});

/** A request as it is sent, with its query in the path. */
export interface SentRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** An answer with any body. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** An answer whose text was read, if it is JSON. */
export interface AnyAnswer extends RawAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of it, it compares.
  json: any;
}

/** An answer of the service with its envelope, or without a body. */
export interface Answer extends RawAnswer {
  code: string;
  message: string;
  // biome-ignore lint/suspicious/noExplicitAny: of a success, the schema of the route is checked.
  data: any;
  errors: { path: string; message: string }[];
  requestId: string;
}

export interface RequestOptions {
  /** Instead of the client's own; empty for none. */
  token?: string;
  headers?: Record<string, string>;
  /** Sent as it is if it is a string or bytes, else as JSON. */
  body?: unknown;
  /** Sent as a form of texts. */
  form?: Record<string, string>;
  /** @default POST with a body or a form, else GET */
  method?: string;
}

export interface Client {
  /** The token that it sends; empty without a login. */
  readonly token: string;
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  /** Sends a request whose answer may have no envelope, and does not check it. */
  ask(path: string, options?: RequestOptions): Promise<AnyAnswer>;
  /** The same client with another login. */
  as(token: string | (() => string)): Client;
  /** The same client, for the paths in a folder. */
  at(folder: string): Client;
  /** The same client, asking in a language. */
  in(language: string): Client;
}

/** What a client sends with every request. */
interface Common {
  token(): string;
  folder: string;
  headers: Record<string, string>;
}

/**
 * A client that checks every answer against its declaration: the envelope, the request ID in body and header,
 * and for a success the `data` schema of the route.
 *
 * @param send sends a request
 */
export function createClient(
  send: (request: SentRequest) => Promise<RawAnswer>,
  common: Common = { token: () => '', folder: '', headers: {} },
): Client {
  const toRequest = (path: string, options: RequestOptions): SentRequest => {
    const { token = common.token(), form } = options;
    const body = form ? new URLSearchParams(form).toString() : options.body;
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
    return {
      method: options.method ?? (body === undefined ? 'GET' : 'POST'),
      path: common.folder + path,
      headers: {
        ...(body !== undefined && { 'content-type': type }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...common.headers,
        ...options.headers,
      },
      body: isSentAsIs(body) ? body : JSON.stringify(body),
    };
  };
  const exchange = async (path: string, options: RequestOptions): Promise<Answer> => {
    const request = toRequest(path, options);
    return readAnswer(request, await send(request));
  };
  return {
    get token() {
      return common.token();
    },
    get: (path, options) => exchange(path, { ...options, method: 'GET' }),
    post: (path, body = {}, options = {}) => exchange(path, { ...options, method: 'POST', body }),
    async ask(path, options = {}) {
      const answer = await send(toRequest(path, options));
      return { ...answer, json: readJson(answer.text) };
    },
    as: (token) => createClient(send, { ...common, token: typeof token === 'string' ? () => token : token }),
    at: (folder) => createClient(send, { ...common, folder: `${common.folder}${folder}/` }),
    in: (language) =>
      createClient(send, { ...common, headers: { ...common.headers, 'x-language': language } }),
  };
}

/** Sends requests to a server over HTTP. */
export const sendTo =
  (server: { url: string }) =>
  async ({ path, ...request }: SentRequest): Promise<RawAnswer> => {
    const response = await fetch(server.url + path, { ...request, redirect: 'manual' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

async function readAnswer({ method, path }: SentRequest, answer: RawAnswer): Promise<Answer> {
  if (answer.text === '')
    return { ...answer, code: '', message: '', data: undefined, errors: [], requestId: '' };
  const parsed = z.safeParse(envelope, readJson(answer.text));
  if (!parsed.success) throw new Error(`${method} ${path}: ${answer.status}, no envelope: ${answer.text}`);
  const { code, message, data, request_id: requestId, errors = [] } = parsed.data;
  expect(answer.headers.get('x-request-id')).toBe(requestId);
  if (answer.status === 200) await checkData(method, path, data);
  return { ...answer, code, message, data, errors, requestId };
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
  // A route that a copy of the project has besides is checked against the document of its server.
  if (!route) return;
  const result = z.safeParse(route.data, data);
  if (!result.success) {
    throw new Error(`${method} ${pathname}: data does not fit its schema: ${z.prettifyError(result.error)}`);
  }
}
