import '../support/environment.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findFault } from './check/find-fault.ts';
import { respell, respellings } from './generate/respell.ts';
import { type Ground, prepareGround } from './ground.ts';
import type { HostileRequest } from './request.ts';
import { runHostile } from './run-hostile.ts';
import { send } from './send.ts';

// The same inputs in every run, so a new failure has a new cause. `npm run hostile` uses random ones.
const seed = Number(process.env.HOSTILE_SEED ?? 1);
const count = 1200;

let ground: Ground;

beforeAll(async () => {
  ground = await prepareGround();
}, 120_000);

afterAll(() => ground?.stop());

const post = (path: string, text: string, rest: Partial<HostileRequest> = {}): HostileRequest => ({
  method: 'POST',
  path,
  caller: 'admin',
  body: { text },
  ...rest,
  headers: { 'content-type': 'application/json', ...rest.headers },
});
const save = '/adminapi/system/setting/config/save';

describe('what generated requests once broke', () => {
  test.each<[string, HostileRequest, number]>([
    [
      'half a character in an account',
      post('/adminapi/system/login/account', '{"account":"\\ud800","password":"a"}'),
      422,
    ],
    ['half a character in a setting', post(save, '{"group":"sms","values":{"sign_name":"\\ud800"}}'), 422],
    ['half a character in a status', post(save, '{"group":"basics","values":{"sys_status":"\\udc00"}}'), 422],
    [
      'a header of MCP beyond Latin-1',
      post('/mcp/service', '{"jsonrpc":"2.0","id":1,"method":"ping"}', { headers: { 'x-any': '中' } }),
      200,
    ],
    [
      'MCP under another name of JSON',
      post('/mcp/service', '{"jsonrpc":"2.0","id":1,"method":"ping"}', {
        headers: { 'content-type': 'application/vnd.api+json' },
      }),
      200,
    ],
  ])('%s is answered as documented', async (_title, request, status) => {
    const { answer } = await send(request, ground.functions, ground.world);

    expect([answer.status, answer.body.toString()]).toEqual([status, expect.any(String)]);
  });
});

describe.each(Array.from({ length: respellings }, (_, way) => way))('the respelling %i', (way) => {
  const ask = (request: Partial<HostileRequest>) =>
    send(
      { method: 'GET', path: '/', headers: {}, caller: 'guest', ...request },
      ground.functions,
      ground.world,
    );
  const status = async (request: Partial<HostileRequest>) => (await ask(request)).answer.status;

  test.each([
    ['admin', 'GET', '/adminapi/system/admin/info'],
    ['user', 'GET', '/api/system/user/info'],
    ['reader', 'POST', '/mcp/service'],
  ] as const)('of the token of a caller who is %s is refused', async (caller, method, path) => {
    const authorization = String(ground.world.authorizationOf(caller));
    const body = { text: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };
    const request = { method, path, ...(method === 'POST' && { body }) };
    const headers = { 'content-type': 'application/json', authorization };

    expect(await status({ ...request, headers })).toBe(200);
    expect(
      await status({ ...request, headers: { ...headers, authorization: respell(authorization, way) } }),
    ).toBe(401);
  });

  test('of an upload ticket is no ticket', async () => {
    await ask(
      post('/api/system/upload/direct', '{"type":"file","name":"a.txt","size":5}', { caller: 'user' }),
    );
    const path = '/api/system/upload/part';

    expect(await status({ path, query: 'ticket=~ticket.0~' })).toBe(200);
    expect(await status({ path, query: `ticket=~ticket.0.${way}~` })).toBe(409);
    const complete = post('/api/system/upload/complete', `{"ticket":"~ticket.0.${way}~"}`, {
      caller: 'user',
    });
    expect(await status(complete)).toBe(409);
  });

  test('of a cursor opens no page', async () => {
    const list = '/adminapi/article/article/list';
    await ask({ path: list, query: 'limit=1', caller: 'admin' });
    const next = (rest: string) =>
      ({ path: list, query: `limit=1&cursor=~cursor${rest}~`, caller: 'admin' }) as const;

    expect(await status(next('_adminapi_article_article_list.0'))).toBe(200);
    expect(await status(next(`_adminapi_article_article_list.0.${way}`))).toBe(422);
  });
});

test('accepting a respelled token is a fault', async () => {
  const request: HostileRequest = {
    method: 'GET',
    path: '/api/article/article/list',
    query: 'cursor=~cursor_api_article_article_list.0.1~',
    headers: {},
    caller: 'guest',
  };
  const { query: _cursor, ...good } = request;
  const exchanged = await send(good, ground.functions, ground.world);

  expect(findFault(ground.contract, exchanged)).toBeUndefined();
  expect(findFault(ground.contract, { ...exchanged, request })).toMatch(/^takes the token ~cursor/);
});

test(`${count} generated requests get documented answers and leave the service intact`, async () => {
  const { faults, failing, summary } = await runHostile(ground, { seed, count });

  const repeat = `HOSTILE_SEED=${seed}, for --replay: ${JSON.stringify(failing)}\n${summary}`;
  expect([faults, faults.length > 0 ? repeat : '']).toEqual([[], '']);
}, 300_000);
