import '../../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { answerRpc, type RpcMethods } from '#modules/System/assistant/mcp/rpc.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { createTexts } from '#shared/i18n/texts.ts';
import { log } from '#shared/log/log.ts';

let error: jest.Spied<typeof log.error>;
beforeEach(() => {
  error = jest.spyOn(log, 'error').mockImplementation(() => {});
});
afterEach(() => {
  jest.restoreAllMocks();
});

const methods = {
  echo: jest.fn(async (params: unknown) => params),
  nothing: async () => undefined,
  refuse: async () => {
    throw new AppError('request.invalid', { errors: [{ path: 'params.a', message: 'rule.id' }] });
  },
  missing: async () => {
    throw new AppError('tool.not_registered', { params: { name: 'a.b' } });
  },
  conflict: async () => {
    throw new AppError('version_conflict');
  },
  fail: async () => {
    throw new AppError('tool.failed', { params: { name: 'a.b' }, cause: new Error('secret cause') });
  },
  crash: async () => {
    throw new TypeError('secret cause');
  },
} satisfies RpcMethods;
const options = { locale: 'en', texts: createTexts('en'), requestId: 'r1' } as const;

async function ask(request: unknown) {
  const text = typeof request === 'string' ? request : JSON.stringify(request);
  const { status, headers, body } = await answerRpc(text, methods, options);
  return { status, headers, json: body && JSON.parse(Buffer.from(body).toString()) };
}
const call = (method: string, rest: object = {}) => ask({ jsonrpc: '2.0', id: 1, method, ...rest });

describe('a request', () => {
  test('is answered with its ID', async () => {
    const answer = await call('echo', { params: { a: [1, '文'] } });

    expect(answer).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', 'content-language': 'en' },
      json: { jsonrpc: '2.0', result: { a: [1, '文'] }, id: 1 },
    });
  });

  test.each([0, -7, 1.5, '', 'a', '1', null, Number.MAX_SAFE_INTEGER])('may have the ID %j', async (id) => {
    expect((await call('echo', { id, params: [] })).json).toEqual({ jsonrpc: '2.0', result: [], id });
  });

  test('gets the result null if the method returns nothing', async () => {
    expect((await call('nothing')).json).toEqual({ jsonrpc: '2.0', result: null, id: 1 });
  });

  test.each(['none', '', 'constructor', '__proto__', 'rpc.discover', 'Echo'])(
    'of the method "%s" gets the error method not found',
    async (method) => {
      expect((await call(method)).json).toEqual({
        jsonrpc: '2.0',
        error: { code: -32601, message: 'Method not found' },
        id: 1,
      });
    },
  );
});

describe('a notification', () => {
  test.each(['echo', 'none', 'refuse', 'crash'])('of %s is answered 204 without a body', async (method) => {
    expect(await ask({ jsonrpc: '2.0', method })).toEqual({ status: 204, headers: {}, json: undefined });
  });

  test('runs', async () => {
    methods.echo.mockClear();

    await ask({ jsonrpc: '2.0', method: 'echo', params: { a: 1 } });

    expect(methods.echo).toHaveBeenCalledWith({ a: 1 });
  });
});

describe('text that is not a request', () => {
  test.each([
    '',
    ' ',
    '{',
    '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
    '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]',
    "{'jsonrpc': '2.0'}",
    'undefined',
    'NaN',
    '\u0000',
    '{"id":1}{"id":2}',
  ])('is a parse error if it is not JSON: %j', async (text) => {
    expect(await ask(text)).toMatchObject({
      status: 200,
      json: { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' }, id: null },
    });
  });

  test.each([
    [{ jsonrpc: '2.0', method: 1, params: 'bar' }, null, ['body.method', 'body.params']],
    [{ jsonrpc: '2.0', id: 5 }, 5, ['body.method']],
    [{ jsonrpc: '2.0', method: 'echo', params: 'bar', id: 'x' }, 'x', ['body.params']],
    [{ jsonrpc: '2.0', method: 'echo', params: null, id: 'x' }, 'x', ['body.params']],
    [{ method: 'echo', id: 1 }, 1, ['body.jsonrpc']],
    [{ jsonrpc: '1.0', method: 'echo', id: 1 }, 1, ['body.jsonrpc']],
    [{ jsonrpc: 2, method: 'echo', id: 1 }, 1, ['body.jsonrpc']],
    [{ jsonrpc: '2.0', method: 'echo', id: {} }, null, ['body.id']],
    [{ jsonrpc: '2.0', method: 'echo', id: [1] }, null, ['body.id']],
    [{ jsonrpc: '2.0', method: 'echo', id: false }, null, ['body.id']],
    [{ jsonrpc: '2.0', method: 'echo', Id: 1 }, null, ['body.Id']],
    ['"echo"', null, ['body']],
    ['1', null, ['body']],
    ['null', null, ['body']],
  ])('is invalid as %j', async (request, id, paths) => {
    const { status, json } = await ask(request);

    expect(status).toBe(200);
    expect(json).toMatchObject({ jsonrpc: '2.0', error: { code: -32600, message: 'Invalid Request' }, id });
    expect(json.error.data.errors.map(({ path }: { path: string }) => path)).toEqual(paths);
  });

  test.each(['1e400', '12345678901234567890'])(
    'is invalid with the ID %s, which is not a safe integer',
    async (id) => {
      const { json } = await ask(`{"jsonrpc":"2.0","method":"echo","id":${id}}`);

      expect(json).toMatchObject({ error: { code: -32600 }, id: null });
    },
  );

  test.each(['[]', '[1]', '[{"jsonrpc":"2.0","method":"echo","id":1}]'])(
    'is invalid if it is a batch, and nothing of it runs: %s',
    async (text) => {
      methods.echo.mockClear();

      const { json } = await ask(text);

      expect(json).toMatchObject({
        error: { code: -32600, message: 'Invalid Request: batches are not supported' },
        id: null,
      });
      expect(methods.echo).not.toHaveBeenCalled();
    },
  );

  test.each([
    '{"jsonrpc":"2.0","method":"echo","id":1,"__proto__":{"id":2}}',
    '{"jsonrpc":"2.0","method":"echo","id":1,"params":{"a":[{"__proto__":{"isAdmin":true}}]}}',
  ])('is invalid with a prototype: %s', async (text) => {
    methods.echo.mockClear();

    expect((await ask(text)).json).toMatchObject({ error: { code: -32600 }, id: 1 });
    expect(methods.echo).not.toHaveBeenCalled();
  });
});

describe('a method that refuses or fails', () => {
  test.each([
    [
      'refuse',
      {
        code: -32602,
        message: 'The request does not fit the rules of this endpoint (places: 1)',
        data: {
          code: 'request.invalid',
          errors: [{ path: 'params.a', message: 'Not an ID of this service' }],
        },
      },
    ],
    [
      'missing',
      { code: -32602, message: 'The MCP tool a.b is not registered', data: { code: 'tool.not_registered' } },
    ],
    [
      'conflict',
      {
        code: -32603,
        message: expect.stringMatching(/reload and try again$/),
        data: { code: 'version_conflict' },
      },
    ],
    [
      'fail',
      {
        code: -32603,
        message: 'The tool a.b failed; the cause is in the log',
        data: { code: 'tool.failed' },
      },
    ],
    ['crash', { code: -32603, message: 'Internal error', data: { code: 'internal' } }],
  ])('by %s is answered with the codes of JSON-RPC and of the service', async (method, expected) => {
    const { status, json } = await call(method);

    expect(status).toBe(200);
    expect(json).toEqual({ jsonrpc: '2.0', error: expected, id: 1 });
  });

  test.each(['fail', 'crash'])('by %s leaves its cause in the log only', async (method) => {
    const { json } = await call(method);

    expect(JSON.stringify(json)).not.toContain('secret');
    expect(error).toHaveBeenCalledTimes(1);
    expect(error.mock.calls[0]?.[1]).toMatchObject({ request_id: 'r1', error: { message: 'secret cause' } });
  });
});
