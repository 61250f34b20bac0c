import '../support/environment.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Ground, prepareGround } from './ground.ts';
import type { HostileRequest } from './request.ts';
import { runHostile } from './run-hostile.ts';
import { send } from './send.ts';

// The same in every run: who breaks something is who sees it. `npm run hostile` draws others.
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

test(`${count} generated requests get documented answers and leave the service whole`, async () => {
  const { faults, failing, summary } = await runHostile(ground, { seed, count });

  const repeat = `HOSTILE_SEED=${seed}, for --replay: ${JSON.stringify(failing)}\n${summary}`;
  expect([faults, faults.length > 0 ? repeat : '']).toEqual([[], '']);
}, 300_000);
