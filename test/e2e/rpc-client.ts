import { expect } from '@jest/globals';
import * as z from 'zod/mini';

const id = z.union([z.string(), z.number(), z.null()]);
const jsonrpc = z.literal('2.0');
const failure = z.strictObject({
  code: z.int(),
  message: z.string(),
  data: z.optional(
    z.strictObject({
      code: z.optional(z.string()),
      errors: z.optional(z.array(z.strictObject({ path: z.string(), message: z.string() }))),
    }),
  ),
});
const response = z.union([
  z.strictObject({ jsonrpc, result: z.unknown(), id }),
  z.strictObject({ jsonrpc, error: failure, id }),
]);

export const rpcPath = '/adminapi/system/ai/mcp/rpc';

/** Answer of `rpc`; `json` is the whole body, an envelope if a gate refused. */
export interface RpcAnswer {
  status: number;
  headers: Headers;
  json: unknown;
}

/** Sends a body to `rpc`, a string unchanged; checks answers against the rules of JSON-RPC. */
export async function sendRpc(
  url: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<RpcAnswer> {
  const answer = await fetch(url + rpcPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-language': 'en', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  expect(answer.headers.get('x-request-id')).toMatch(/./);
  if (answer.status === 204) expect(text).toBe('');
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  if (answer.status === 200) z.parse(response, json);
  return { status: answer.status, headers: answer.headers, json };
}
