import { performance } from 'node:perf_hooks';
import type { Manifest } from '#functions/model.ts';
import { createDocument } from '#functions/openapi/document.ts';
import { ApiContract } from '../../support/api-contract.ts';
import type { FunctionRequest } from '../../support/function-event.ts';
import type { Functions } from '../../support/functions.ts';

/** What the service answered, read. */
export interface Answer {
  status: number;
  /** Code of the envelope, or of the error of JSON-RPC; `ok` for a success. */
  code: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of it, it compares.
  data: any;
  text: string;
  durationMs: number;
}

/** Sends requests to the service; every answer must match the OpenAPI document. */
export interface Api {
  get(path: string, query: Record<string, string>, token?: string): Promise<Answer>;
  post(path: string, body: unknown, token?: string): Promise<Answer>;
  form(
    path: string,
    form: { body: Uint8Array; headers: Record<string, string> },
    token?: string,
  ): Promise<Answer>;
}

export function createApi(functions: Functions): Api {
  const contract = new ApiContract(describe(functions.manifest));

  async function ask(request: FunctionRequest, token?: string): Promise<Answer> {
    const headers = { ...request.headers, ...(token && { authorization: `Bearer ${token}` }) };
    const begun = performance.now();
    const { status, headers: answered, body } = await functions.call({ ...request, headers });
    const text = body.toString();
    const contentType = String(answered['content-type'] ?? '');
    const { method, path } = request;
    const fault = contract.findFault({ method, path, status, contentType, text });
    if (fault) throw new Error(`not as documented: ${fault}`);
    return { status, text, ...readOutcome(text), durationMs: performance.now() - begun };
  }

  return {
    get: (path, query, token) =>
      ask({ method: 'GET', path, query: new URLSearchParams(query).toString() }, token),
    post: (path, body, token) =>
      ask(
        { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
        token,
      ),
    form: (path, form, token) => ask({ method: 'POST', path, ...form }, token),
  };
}

/** The same, but repeats a request up to five times while the database is unavailable. */
export function insist(api: Api): Api {
  async function repeat(ask: () => Promise<Answer>): Promise<Answer> {
    let answer = await ask();
    for (let tries = 1; tries < 5 && answer.code === 'database.unavailable'; tries += 1) answer = await ask();
    return answer;
  }
  return {
    get: (...given) => repeat(() => api.get(...given)),
    post: (...given) => repeat(() => api.post(...given)),
    form: (...given) => repeat(() => api.form(...given)),
  };
}

function describe(manifest: Manifest): Record<string, unknown> {
  return JSON.parse(JSON.stringify(createDocument(manifest, { locale: 'en', version: '0.0.0' })));
}

function readOutcome(text: string): Pick<Answer, 'code' | 'data'> {
  const body = JSON.parse(text);
  if (body.jsonrpc === undefined) return { code: body.code, data: body.data };
  return body.error
    ? { code: String(body.error.data?.code ?? body.error.code), data: body.error }
    : { code: 'ok', data: body.result };
}
