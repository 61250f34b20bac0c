import '../../../support/no-audit-log.ts';
import '../../../support/environment.ts';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import { AppError } from '#shared/errors/app-error.ts';
import { log } from '#shared/log/log.ts';
import { mediaHtml } from '#shared/media/media-html.ts';
import { adapt } from '#shared/tools/ai-tool.ts';
import { registryOf } from '../../../support/tool-registry.ts';
import { admin, invoke, TestAdapter, TestTool, WritingTool } from './fixture.ts';

let info: jest.Spied<typeof log.info>;
let error: jest.Spied<typeof log.error>;
beforeEach(() => {
  info = jest.spyOn(log, 'info').mockImplementation(() => {});
  error = jest.spyOn(log, 'error').mockImplementation(() => {});
});
afterEach(() => {
  jest.restoreAllMocks();
});

const refusalOf = async (promise: Promise<unknown>): Promise<AppError> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(thrown instanceof AppError)) throw new Error('nothing was refused', { cause: thrown });
  return thrown;
};

describe('a call of a tool', () => {
  test("answers the tool's result, as JSON and as text", async () => {
    const outcome = await invoke(new TestTool(), { arguments: { limit: 7 } });

    expect(outcome).toEqual({
      name: 'test.run',
      result: { limit: 7 },
      text: '{"limit":7}',
      duration_ms: expect.any(Number),
    });
  });

  test('treats missing arguments as an empty object', async () => {
    expect(await invoke(new TestTool())).toMatchObject({ result: { limit: 5 } });
  });

  test('passes administrator, channel, request and signal to the tool', async () => {
    const handle = jest.fn((_args: unknown, _context: unknown) => null);

    await invoke(new TestTool(handle), {}, { channel: 'rpc' });

    expect(handle).toHaveBeenCalledWith(
      { limit: 5 },
      expect.objectContaining({
        ...{ channel: 'rpc', admin, requestId: 'request-1', signal: expect.any(AbortSignal) },
        ...{ locale: 'en', needs: {}, request: expect.objectContaining({ address: '203.0.113.7' }) },
      }),
    );
  });

  test('without its permission is refused before its arguments are read', async () => {
    const handle = jest.fn(() => null);
    const stranger = { ...admin, super: false, grants: ['tool/test.other:write', 'test:write'] };

    const refusal = await refusalOf(
      invoke(new TestTool(handle), { arguments: { limit: 'wrong' } }, { admin: stranger }),
    );

    expect(refusal).toMatchObject({
      code: 'auth.permission_denied',
      errors: [{ path: 'tool/test.run:read' }],
    });
    expect(handle).not.toHaveBeenCalled();
  });

  test.each([
    ['a value that does not fit', { limit: 21 }, ['body.arguments.limit']],
    [
      'unknown ones',
      { limit: 1, more: 2, constructor: 3 },
      ['body.arguments.more', 'body.arguments.constructor'],
    ],
    ['everything that is wrong', { limit: 'x', more: 1 }, ['body.arguments.limit', 'body.arguments.more']],
    ['an own __proto__', JSON.parse('{"__proto__":{"limit":1}}'), ['body.arguments.__proto__']],
    ['null', null, ['body.arguments']],
    ['a list', [], ['body.arguments']],
    ['a text', '{}', ['body.arguments']],
  ])('does not run with arguments that have %s', async (_title, given, paths) => {
    const handle = jest.fn();

    const refusal = await refusalOf(invoke(new TestTool(handle), { arguments: given }));

    expect(refusal.code).toBe('tool.arguments_invalid');
    expect(refusal.errors?.map(({ path }) => path)).toEqual(paths);
    expect(handle).not.toHaveBeenCalled();
  });

  test('names paths below the given root', async () => {
    const refusal = await refusalOf(
      invoke(new TestTool(), { arguments: { limit: 0 } }, { root: 'arguments' }),
    );

    expect(refusal.errors?.map(({ path }) => path)).toEqual(['arguments.limit']);
  });
});

describe('a tool that writes', () => {
  test('runs after its authorize has passed', async () => {
    const steps: string[] = [];
    const tool = new WritingTool(
      async (context, args) => void steps.push(`authorize ${context.admin.id} ${args.limit}`),
      () => steps.push('handle'),
    );

    await invoke(tool);

    expect(steps).toEqual(['authorize admin-1 5', 'handle']);
  });

  test('does not run if its authorize refuses', async () => {
    const handle = jest.fn();
    const tool = new WritingTool(async () => {
      throw new AppError('dict.type_exists');
    }, handle);

    const refusal = await refusalOf(invoke(tool));

    expect(refusal.code).toBe('dict.type_exists');
    expect(handle).not.toHaveBeenCalled();
  });

  test('fails as internal if its authorize throws a code that is not declared', async () => {
    const tool = new WritingTool(async () => {
      throw new AppError({ code: 'test.unknown' });
    });

    const refusal = await refusalOf(invoke(tool));

    expect(refusal).toMatchObject({ code: 'internal', status: 500 });
    const cause = expect.objectContaining({ message: expect.stringContaining('"test.unknown"') });
    expect(error).toHaveBeenCalledWith(
      'tool',
      expect.objectContaining({ outcome: 'internal', error: cause }),
    );
  });

  test('is asked for its permission in the chat too', async () => {
    const say = jest.fn(() => 'done');
    const tool = new WritingTool(async () => {
      throw new AppError('dict.type_exists');
    });
    const registry = registryOf([tool], [new TestAdapter(say)]);

    const refusal = await refusalOf(invoke(registry, {}, { channel: 'chat' }));

    expect(refusal.code).toBe('dict.type_exists');
    expect(say).not.toHaveBeenCalled();
  });

  test('does not run without an authorize', async () => {
    const handle = jest.fn();
    const tool = Object.assign(new TestTool(handle), { access: 'write' });

    expect(await refusalOf(invoke(tool))).toMatchObject({ code: 'tool.failed' });
    expect(handle).not.toHaveBeenCalled();
  });
});

describe('a call in the chat', () => {
  const chat = { channel: 'chat' } as const;

  test('calls the adapter', async () => {
    const handle = jest.fn();
    const registry = registryOf([new TestTool(handle)], [new TestAdapter()]);

    expect(await invoke(registry, {}, chat)).toMatchObject({ result: { limit: 5 }, text: '{"limit":5}' });
    expect(handle).not.toHaveBeenCalled();
  });

  test.each(['call', 'chat'] as const)(
    'cleans the rich text in the output schema of a tool, over %s',
    async (channel) => {
      const stored = { content: '<p onclick=run()>a</p>', summary: '<b onclick=run()>' };
      class ReadingTool extends TestTool {
        override outputSchema = z.object({ content: mediaHtml(), summary: z.string() });
        constructor() {
          super(() => stored);
        }
      }
      const registry = registryOf([new ReadingTool()], [new (adapt(ReadingTool))()]);

      expect(await invoke(registry, {}, { channel })).toMatchObject({
        result: { ...stored, content: '<p>a</p>' },
      });
    },
  );

  test('accepts text that is not JSON from an adapter', async () => {
    const registry = registryOf([new TestTool()], [new TestAdapter(() => 'five of them')]);

    expect(await invoke(registry, {}, chat)).toMatchObject({ result: 'five of them', text: 'five of them' });
  });

  test('refuses a tool without an adapter', async () => {
    const refusal = await refusalOf(invoke(new TestTool(), {}, chat));

    expect(refusal).toMatchObject({ code: 'tool.not_registered', params: { name: 'test.run' } });
  });

  test('refuses an adapter without a tool', async () => {
    const refusal = await refusalOf(invoke(registryOf([], [new TestAdapter()]), {}, chat));

    expect(refusal.code).toBe('tool.not_registered');
  });

  test('applies the rules of the tool, even if its adapter has others', async () => {
    const say = jest.fn(() => 'done');
    const looser = Object.assign(new TestAdapter(say), { inputSchema: z.strictObject({ limit: z.int() }) });
    const registry = registryOf([new TestTool()], [looser]);

    const byTool = await refusalOf(invoke(registry, { arguments: { limit: 21 } }, chat));
    const byAdapter = await refusalOf(invoke(registry, {}, chat));

    for (const { code, errors = [] } of [byTool, byAdapter]) {
      expect([code, errors[0]?.path]).toEqual(['tool.arguments_invalid', 'body.arguments.limit']);
    }
    expect(say).not.toHaveBeenCalled();
  });

  test.each([
    ['no text', 42, 'rule.tool_no_text'],
    ['too much', 'x'.repeat(65_537), 'rule.tool_too_large'],
  ])('refuses an adapter that answers %s', async (_title, said, rule) => {
    const registry = registryOf([new TestTool()], [new TestAdapter(() => said)]);

    const refusal = await refusalOf(invoke(registry, {}, chat));

    expect(refusal).toMatchObject({ code: 'tool.failed', errors: [{ path: 'result', message: rule }] });
  });
});

describe('a tool that fails', () => {
  const secret = 'the password is hunter2';
  const fail = () => {
    throw new Error(secret);
  };

  test.each<[string, () => unknown]>([
    ['throws', () => fail()],
    ['rejects', () => Promise.reject(new Error(secret))],
    ['rejects with a text', () => Promise.reject(secret)],
    ['answers a broken promise', () => Object.fromEntries([['then', () => fail()]])],
  ])('by what it %s answers without the cause, which is logged', async (_title, handle) => {
    const refusal = await refusalOf(invoke(new TestTool(handle)));

    expect(refusal).toMatchObject({
      code: 'tool.failed',
      status: 502,
      params: { name: 'test.run' },
      errors: undefined,
    });
    expect(JSON.stringify(refusal)).not.toContain(secret);
    expect(String(error.mock.calls[0]?.[1]?.error)).toContain(secret);
  });

  test.each([undefined, null, Object.create(null), 0, Symbol('x')])(
    'is reported if it throws a value that is not an error',
    async (thrown) => {
      const refusal = await refusalOf(invoke(new TestTool(() => Promise.reject(thrown))));

      expect(refusal.code).toBe('tool.failed');
      expect(error.mock.calls[0]?.[1]?.error).toBeInstanceOf(Error);
    },
  );
});

describe('the log', () => {
  const line = {
    tool: 'test.run',
    access: 'read',
    channel: 'call',
    admin: 'admin-1',
    request_id: 'request-1',
  };
  const duration = { duration_ms: expect.any(Number) };

  test('names the trace that the call belongs to', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

    await invoke(new TestTool(), {}, { traceparent });

    expect(info.mock.calls).toEqual([['tool', { ...line, ...duration, traceparent, outcome: 'ok' }]]);
  });

  test.each([
    ['test.none', {}, 'tool.not_registered', undefined],
    ['test.run', { limit: 99 }, 'tool.arguments_invalid', 'read'],
  ])('has one for a refused call of %s', async (name, given, outcome, access) => {
    await refusalOf(invoke(new TestTool(), { name, arguments: given }));

    expect(info.mock.calls).toEqual([['tool', { ...line, ...duration, tool: name, access, outcome }]]);
  });

  test('has one for a failed call, with the cause', async () => {
    const cause = new Error('on purpose');

    await refusalOf(invoke(new TestTool(() => Promise.reject(cause))));

    expect(error.mock.calls).toEqual([
      ['tool', { ...line, ...duration, outcome: 'tool.failed', error: cause }],
    ]);
    expect(info).not.toHaveBeenCalled();
  });

  test('names the path of a bad result', async () => {
    await refusalOf(invoke(new TestTool(() => ({ id: 1n }))));

    expect(error.mock.calls[0]?.[1]).toMatchObject({
      outcome: 'tool.failed',
      errors: [{ path: 'result.id', message: 'rule.tool_no_json' }],
    });
  });

  test('shortens a long name', async () => {
    await refusalOf(invoke(new TestTool(), { name: 'x'.repeat(100_000) }));

    expect(JSON.stringify(info.mock.calls).length).toBeLessThan(500);
  });
});
