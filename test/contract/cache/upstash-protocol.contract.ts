import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSender, type ProtocolTarget, send } from './protocol-client.ts';
import { describeCommands } from './upstash-commands.contract.ts';
import { describeScripts } from './upstash-scripts.contract.ts';
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
    describe('batches', () => describeBatches(() => target));
    describe('commands', () => describeCommands(() => target));
    describe('scripts', () => describeScripts(() => target));
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

  test('takes the token from the parameter _token', async () => {
    const path = `/ping?_token=${target().token}`;

    expect(await send(target().url, { method: 'GET', path })).toEqual({
      status: 200,
      body: { result: 'PONG' },
    });
    expect((await send(target().url, { method: 'GET', path: '/ping?_token=other' })).status).toBe(401);
  });

  test('runs a command of a JSON array, numbers and booleans included', async () => {
    const key = randomUUID();

    expect(await post('/', ['set', key, 12.5])).toEqual({ status: 200, body: { result: 'OK' } });
    expect((await post('/', ['GET', key])).body).toEqual({ result: '12.5' });
    await post('/', ['SET', key, true]);
    expect((await post('/', ['GET', key])).body).toEqual({ result: 'true' });
  });

  test('runs a command of the path, percent-encoding undone', async () => {
    const key = randomUUID();
    const headers = withToken();

    await send(target().url, { method: 'GET', path: `/set/${key}/${encodeURIComponent('a/b 中')}`, headers });

    const answer = await send(target().url, { method: 'GET', path: `/get/${key}`, headers });
    expect(answer).toEqual({ status: 200, body: { result: 'a/b 中' } });
  });

  test('appends a body to the command of the path, and options after it', async () => {
    const key = randomUUID();
    const headers = withToken();

    await send(target().url, { path: `/set/${key}?EX=100&NX=`, body: '{"a":1}', headers });

    expect((await post('/', ['GET', key])).body).toEqual({ result: '{"a":1}' });
    expect((await post('/', ['TTL', key])).body).toEqual({ result: 100 });
    const second = await send(target().url, { path: `/set/${key}?NX`, body: 'other', headers });
    expect(second.body).toEqual({ result: null });
  });

  test.each([
    ['malformed JSON', '/', '["GET"'],
    ['an empty body', '/', ''],
    ['a body that is no array', '/', '{"a":1}'],
    ['an empty command', '/', '[]'],
    ['an argument that is an object', '/', '["SET","a",{"b":1}]'],
    ['an argument that is null', '/', '["SET","a",null]'],
    ['a pipeline that is no array', '/pipeline', '"GET"'],
    ['a pipeline without commands', '/pipeline', '[]'],
    ['a pipeline of one bare command', '/pipeline', '["GET","a"]'],
    ['malformed percent-encoding', '/get/%E0%A4%A', ''],
  ])('answers 400 with an error for %s', async (_title, path, body) => {
    const answer = await send(target().url, { path, body, headers: withToken() });

    expect(answer).toEqual({ status: 400, body: { error: expect.stringMatching(/^ERR /) } });
  });

  test.each([
    ['an unknown command', ['NOSUCH', 'a']],
    ['a name of every object', ['constructor', 'a']],
    ['too few arguments', ['GET']],
    ['too many arguments', ['GET', 'a', 'b']],
    ['a command that needs its own connection', ['SUBSCRIBE', 'a']],
  ])('answers 400 with an error for %s', async (_title, command) => {
    expect(await post('/', command)).toEqual({
      status: 400,
      body: { error: expect.stringMatching(/^ERR /) },
    });
  });

  test('answers 405 for a method that is not offered', async () => {
    const answer = await send(target().url, { method: 'DELETE', path: '/get/a', headers: withToken() });

    expect(answer).toEqual({ status: 405, body: { error: expect.any(String) } });
  });

  test('refuses a body above 10 MB and accepts one below', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024 + 1, 'x');
    const key = randomUUID();
    const headers = withToken();

    expect(await send(target().url, { path: `/set/${key}`, body: large, headers })).toEqual({
      status: 400,
      body: { error: expect.stringContaining('max request size exceeded') },
    });
    const accepted = await send(target().url, { path: `/set/${key}`, body: large.subarray(2), headers });
    expect(accepted.body).toEqual({ result: 'OK' });
    await post('/', ['DEL', key]);
  });

  test('encodes every string but OK in base64 when asked to', async () => {
    const key = randomUUID();
    const ask = (command: unknown[]) => post('/', command, { 'upstash-encoding': 'base64' });

    expect((await ask(['SET', key, '值'])).body).toEqual({ result: 'OK' });
    expect((await ask(['GET', key])).body).toEqual({ result: base64('值') });
    expect((await ask(['GET', randomUUID()])).body).toEqual({ result: null });
    expect((await ask(['PING'])).body).toEqual({ result: base64('PONG') });
    expect((await ask(['EXISTS', key])).body).toEqual({ result: 1 });
    expect((await ask(['MGET', key, randomUUID()])).body).toEqual({ result: [base64('值'), null] });
    const nested = await ask(['EVAL', 'return {1, {"OK", {"b"}}, false}', 0]);
    expect(nested.body).toEqual({ result: [1, [base64('OK'), [base64('b')]], null] });
  });

  test('answers 400 for a response format that is not offered', async () => {
    expect((await post('/', ['PING'], { 'upstash-response-format': 'xml' })).status).toBe(400);
  });
}

function describeBatches(target: () => ProtocolTarget): void {
  const post = createSender(target);

  test.each(['/pipeline', '/multi-exec'])('answers %s in order, errors in their place', async (path) => {
    const key = randomUUID();
    const commands = [
      ['SET', key, 'text'],
      ['INCR', key],
      ['GET', key],
      ['HGET', key, 'field'],
      ['DEL', key],
    ];

    const answer = await post(path, commands);

    expect(answer).toEqual({
      status: 200,
      body: [
        { result: 'OK' },
        { error: 'ERR value is not an integer or out of range' },
        { result: 'text' },
        { error: expect.stringMatching(/^WRONGTYPE /) },
        { result: 1 },
      ],
    });
  });

  test('goes on after an unknown and an unavailable command in a pipeline', async () => {
    const answer = await post('/pipeline', [['NOSUCH'], ['PING'], ['SUBSCRIBE', 'a'], ['ECHO', 'last']]);

    expect(answer.body).toEqual([
      { error: expect.stringMatching(/^ERR unknown command/) },
      { result: 'PONG' },
      { error: expect.stringMatching(/^ERR /) },
      { result: 'last' },
    ]);
  });

  test.each([
    ['unknown', ['NOSUCH']],
    ['incomplete', ['GET']],
    ['unavailable', ['MULTI']],
  ])('discards a transaction with an %s command as a whole', async (_title, command) => {
    const key = randomUUID();

    const answer = await post('/multi-exec', [['SET', key, '1'], command]);

    expect(answer).toEqual({ status: 400, body: { error: expect.any(String) } });
    expect((await post('/', ['EXISTS', key])).body).toEqual({ result: 0 });
  });

  test('runs concurrent transactions one after another', async () => {
    const [counter, copies] = [randomUUID(), randomUUID()];
    const script = 'return redis.call("RPUSH", KEYS[2], redis.call("GET", KEYS[1]))';
    const transaction = [
      ['INCR', counter],
      ['EVAL', script, 2, counter, copies],
      ['INCR', counter],
      ['EVAL', script, 2, counter, copies],
    ];

    await Promise.all(Array.from({ length: 20 }, () => post('/multi-exec', transaction)));

    const { body } = await post('/', ['LRANGE', copies, 0, -1]);
    expect(body).toEqual({ result: Array.from({ length: 40 }, (_, index) => String(index + 1)) });
  });
}
