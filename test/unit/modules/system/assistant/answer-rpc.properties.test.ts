import '../../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { answerRpc } from '#modules/System/assistant/mcp/rpc.ts';
import { createTexts } from '#shared/i18n/texts.ts';
import { anyString } from '../../../../support/any-string.ts';

const id = z.union([z.string(), z.number(), z.null()]);
const jsonrpc = z.literal('2.0');
const error = z.strictObject({ code: z.int(), message: z.string(), data: z.optional(z.unknown()) });
/** A response object of JSON-RPC 2.0, section 5. */
const response = z.union([
  z.strictObject({ jsonrpc, result: z.unknown(), id }),
  z.strictObject({ jsonrpc, error, id }),
]);

const options = { locale: 'en', texts: createTexts('en'), requestId: 'r1' } as const;
const methods = { echo: async (params: unknown) => params };

async function ask(text: string) {
  const { status, body } = await answerRpc(text, methods, options);
  if (status === 204) {
    expect(body).toBeUndefined();
    return undefined;
  }
  expect(status).toBe(200);
  return z.parse(response, JSON.parse(Buffer.from(body ?? []).toString()));
}

const anyId = fc.oneof(anyString(), fc.maxSafeInteger(), fc.constant(null));
const params = fc.oneof(
  fc.array(fc.jsonValue()),
  fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
);
/** Objects that resemble requests. */
const almostRequest = fc.record(
  {
    jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
    method: fc.oneof(fc.constantFrom('echo', 'none'), fc.jsonValue()),
    params: fc.oneof(params, fc.jsonValue()),
    id: fc.oneof(anyId, fc.jsonValue()),
    extra: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

describe('answerRpc', () => {
  test.each<[string, fc.Arbitrary<string>]>([
    ['any text', anyString()],
    ['any JSON', fc.json()],
    ['what looks like a request', almostRequest.map((value) => JSON.stringify(value))],
    ['a list of what looks like requests', fc.array(almostRequest).map((value) => JSON.stringify(value))],
    [
      'a part of a request',
      fc.tuple(almostRequest, fc.nat(200)).map(([value, end]) => JSON.stringify(value).slice(0, end)),
    ],
  ])('answers a valid response or 204 to %s', async (_title, text) => {
    await fc.assert(
      fc.asyncProperty(text, async (each) => void (await ask(each))),
      { numRuns: 300 },
    );
  });

  test('answers every valid request with its result and ID', async () => {
    await fc.assert(
      fc.asyncProperty(anyId, params, async (each, given) => {
        fc.pre(!JSON.stringify(given).includes('__proto__'));
        const request = JSON.stringify({ jsonrpc: '2.0', method: 'echo', params: given, id: each });

        const answer = await ask(request);

        expect(answer).toEqual({ jsonrpc: '2.0', result: JSON.parse(JSON.stringify(given)), id: each });
      }),
    );
  });

  test('answers every valid notification without a body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), params, async (method, given) => {
        fc.pre(!JSON.stringify(given).includes('__proto__'));

        expect(await ask(JSON.stringify({ jsonrpc: '2.0', method, params: given }))).toBeUndefined();
      }),
    );
  });
});
