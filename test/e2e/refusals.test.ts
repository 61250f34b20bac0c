import { describe, expect, test } from '@jest/globals';
import { copyProject } from '../support/project-copy.ts';
import { useServer } from '../support/use-server.ts';

// A user route with every kind of gate, and a body.
const route = `
  import * as z from 'zod/mini';
  import { api } from '#shared/http/route.ts';
  export default api.post({
    summary: { zh_CN: '测试', en: 'Test' },
    query: z.object({ page: z.optional(z.enum(['1', '2'])) }),
    body: z.strictObject({ name: z.string() }),
    data: z.string(),
    middleware: ['throttle:public'],
    handler: async ({ userId }) => userId,
  });`;

const copy = copyProject();
copy.write('modules/System/Api/guarded.ts', route);
// One request a minute: the second is refused.
const environment = { THROTTLE_FACTOR: '0.05' };
const { client, admin, saveSettings } = useServer({ root: copy.root, environment });
let isThrottled = false;

const setSite = (sys_status: string) => saveSettings('basics', { sys_status });

interface Wrongs {
  site?: boolean;
  throttle?: boolean;
  login?: boolean;
  body?: 'unreadable' | 'text' | 'unfit';
}

const bodies = {
  unreadable: ['{"name":', 'application/json'],
  text: ['name', 'text/plain'],
  unfit: ['{"nam":1}', 'application/json'],
  good: ['{"name":"a"}', 'application/json'],
} as const;

/** Sends a request with several faults. @returns the code of the refusal */
async function ask(wrongs: Wrongs): Promise<string> {
  const [body, contentType] = bodies[wrongs.body ?? 'good'];
  const token = wrongs.login ? '' : admin.token;
  const headers = { 'content-type': contentType };
  return (await client.post('/api/system/guarded', body, { token, headers })).code;
}

/** Sends a request with every fault that is checked after site and throttle. */
async function askEachWrong(): Promise<Set<string>> {
  const bodiesToo = (['unreadable', 'text', 'unfit'] as const).map((body) => ({ body }));
  const codes = [];
  for (const wrongs of [{ login: true }, {}, ...bodiesToo]) codes.push(await ask(wrongs));
  return new Set(codes);
}

async function exhaust(): Promise<void> {
  // 1,200 a minute × 0.05.
  if (!isThrottled) await Promise.all(Array.from({ length: 60 }, () => ask({ login: true })));
  isThrottled = true;
}

describe('of two refusals', () => {
  test.each([
    // An administrator's token is a wrong login here.
    ['login', 'unreadable', { body: 'unreadable' }, 'auth.principal_mismatch'],
    ['login', 'another content type', { body: 'text' }, 'auth.principal_mismatch'],
    ['missing login', 'an unfit body', { login: true, body: 'unfit' }, 'auth.token_missing'],
  ] as const)('%s comes before %s', async (_first, _second, wrongs, code) => {
    expect(await ask(wrongs)).toBe(code);
  });

  test('a closed site comes before login and body', async () => {
    await setSite('off');
    const codes = await askEachWrong();
    await setSite('1');

    expect(codes).toEqual(new Set(['site.closed']));
  });

  test('the throttle comes before login and body', async () => {
    await exhaust();

    expect(await askEachWrong()).toEqual(new Set(['throttle.exceeded']));
  });

  test('a closed site comes before the throttle', async () => {
    await exhaust();

    await setSite('off');
    const closed = await ask({});
    await setSite('1');
    const open = await ask({});

    expect([closed, open]).toEqual(['site.closed', 'throttle.exceeded']);
  });
});
