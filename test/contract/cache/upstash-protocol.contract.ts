import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSender, type ProtocolTarget, send } from './protocol-client.ts';
import { describeCommands } from './upstash-commands.contract.ts';
import { describeStockClient } from './upstash-stock-client.contract.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Describes what every endpoint that speaks Upstash's REST protocol does. */
export function describeUpstashProtocol(name: string, start: () => Promise<ProtocolTarget>): void {
  describe(name, () => {
    let target: ProtocolTarget;
    beforeAll(async () => {
      target = await start();
    });
    afterAll(() => target.stop());

    describe('requests', () => describeRequests(() => target));
    describe('commands', () => describeCommands(() => target));
    describe('stock client', () => describeStockClient(() => target));
  });
}

function describeRequests(target: () => ProtocolTarget): void {
  const post = createSender(target);
  const withToken = () => ({ authorization: `Bearer ${target().token}` });

  test.each([
    ['no token', {}],
    ['another token', { authorization: 'Bearer other' }],
    ['another scheme', { authorization: 'Basic token' }],
  ])('answers 401 with an error for %s', async (_title, headers: Record<string, string>) => {
    const answer = await send(target().url, { body: '["PING"]', headers });

    expect(answer).toEqual({ status: 401, body: { error: expect.any(String) } });
  });

  test('runs a command of a JSON array, numbers and booleans included', async () => {
    const key = randomUUID();

    expect(await post('/', ['set', key, 12.5])).toEqual({ status: 200, body: { result: 'OK' } });
    expect((await post('/', ['GET', key])).body).toEqual({ result: '12.5' });
    await post('/', ['SET', key, true]);
    expect((await post('/', ['GET', key])).body).toEqual({ result: 'true' });
  });

  test.each([
    ['malformed JSON', '/', '["GET"'],
    ['an empty body', '/', ''],
    ['a body that is not an array', '/', '{"a":1}'],
    ['an empty command', '/', '[]'],
    ['an argument that is an object', '/', '["SET","a",{"b":1}]'],
    ['an argument that is null', '/', '["SET","a",null]'],
    ['a pipeline that is not an array', '/pipeline', '"GET"'],
    ['a pipeline without commands', '/pipeline', '[]'],
    ['a pipeline of one bare command', '/pipeline', '["GET","a"]'],
  ])('answers 400 with an error for %s', async (_title, path, body) => {
    const answer = await send(target().url, { path, body, headers: withToken() });

    expect(answer).toEqual({ status: 400, body: { error: expect.stringMatching(/^ERR /) } });
  });

  test.each([
    ['an unknown command', ['NOSUCH', 'a']],
    ['a name of every object', ['constructor', 'a']],
    ['a command that the service does not send', ['SUBSCRIBE', 'a']],
  ])('answers 400 with an error for %s', async (_title, command) => {
    expect(await post('/', command)).toEqual({
      status: 400,
      body: { error: expect.stringMatching(/^ERR unknown command/) },
    });
  });

  test('answers 405 for another method and 404 for another path', async () => {
    const headers = withToken();

    expect((await send(target().url, { method: 'GET', path: '/', headers })).status).toBe(405);
    expect((await send(target().url, { path: '/get/a', headers })).status).toBe(404);
  });

  test('refuses a body above 10 MB and accepts one below', async () => {
    const key = randomUUID();
    const commandOf = (sizeBytes: number) => ['SET', key, 'x'.repeat(sizeBytes)];

    expect(await post('/', commandOf(10 * 1024 * 1024))).toEqual({
      status: 400,
      body: { error: expect.stringContaining('max request size exceeded') },
    });
    expect((await post('/', commandOf(10 * 1024 * 1024 - 100))).body).toEqual({ result: 'OK' });
    await post('/', ['DEL', key]);
  });

  test('encodes every string but OK in base64 when asked to', async () => {
    const key = randomUUID();
    const ask = (command: unknown[]) => post('/', command, { 'upstash-encoding': 'base64' });

    expect((await ask(['SET', key, '值'])).body).toEqual({ result: 'OK' });
    expect((await ask(['GET', key])).body).toEqual({ result: base64('值') });
    expect((await ask(['GET', randomUUID()])).body).toEqual({ result: null });
    expect((await ask(['PING'])).body).toEqual({ result: base64('PONG') });
    expect((await ask(['MGET', key, randomUUID()])).body).toEqual({ result: [base64('值'), null] });
    const nested = await ask(['EVAL', 'return {1, {"OK", {"b"}}}', 0]);
    expect(nested.body).toEqual({ result: [1, [base64('OK'), [base64('b')]]] });
  });

  test('answers a pipeline in order, errors in their place', async () => {
    const key = randomUUID();
    const unknown = ['EVALSHA', '0'.repeat(40), 0];
    const commands = [['SET', key, 'text'], ['NOSUCH'], ['GET', key], unknown, ['DEL', key]];

    expect(await post('/pipeline', commands)).toEqual({
      status: 200,
      body: [
        { result: 'OK' },
        { error: expect.stringMatching(/^ERR unknown command/) },
        { result: 'text' },
        { error: expect.stringMatching(/^NOSCRIPT /) },
        { result: 1 },
      ],
    });
  });
}
