import '../../../support/environment.ts';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { answerRpc } from '#modules/System/assistant/mcp/rpc.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { admin, web } from '#shared/http/route.ts';
import { createTexts } from '#shared/i18n/texts.ts';
import { call } from './fake-request.ts';

const summary = { zh_CN: '测试', en: 'Test' };
const manyKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`k${place}`, 1]));

describe('a body with very many unknown fields', () => {
  const route = admin.post({
    summary,
    query: z.object({ id: z.string() }),
    body: z.strictObject({}),
    bodyLimitBytes: 4 * 1024 * 1024,
    data: z.null(),
    handler: async () => null,
  });

  test('is 422 with the first 100 issues and the total', async () => {
    const answer = await call(route, {
      method: 'POST',
      // More than the largest number of arguments of a function call.
      body: manyKeys(200_000),
      headers: { 'x-language': 'en' },
    });

    expect(answer).toMatchObject({
      status: 422,
      json: {
        code: 'request.invalid',
        message: 'The request does not fit the rules of this endpoint (places: 200001)',
      },
    });
    expect(answer.json?.errors).toHaveLength(100);
    expect(answer.json?.errors?.slice(0, 2).map(({ path }) => path)).toEqual(['query.id', 'body.k0']);
  });

  test('is refused by JSON-RPC with the first 100 issues', async () => {
    const texts = createTexts('en');

    const { body } = await answerRpc(
      JSON.stringify(manyKeys(500)),
      {},
      { locale: 'en', texts, requestId: 'id' },
    );

    expect(JSON.parse(String(Buffer.from(body ?? []))).error.data.errors).toHaveLength(100);
  });
});

describe('an answer', () => {
  const route = web.get({
    summary,
    query: z.object({ length: z.string() }),
    data: z.string(),
    handler: async ({ query }) => '文'.repeat(Number(query.length)),
  });

  test('of just under 5 MB is sent', async () => {
    const answer = await call(route, { query: 'length=1666000' });

    expect(answer.status).toBe(200);
  });

  test('above 5 MB is refused, because it could not be sent', async () => {
    const answer = await call(route, { query: 'length=1667000', headers: { 'x-language': 'en' } });

    expect(answer).toMatchObject({
      status: 422,
      json: { code: 'request.invalid', message: 'The answer would be larger than 5 MB: ask for less' },
    });
  });

  test('of a failure lists at most 100 issues', async () => {
    const errors = Array.from({ length: 101 }, (_, place) => ({ path: `p${place}`, message: 'rule.id' }));
    const failing = web.get({
      summary,
      data: z.null(),
      handler: async () => {
        throw new AppError('dict.value_in_use', { errors });
      },
    });

    expect((await call(failing)).json?.errors).toHaveLength(100);
  });
});
