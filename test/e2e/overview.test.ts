import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, createClient } from '../support/client.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';

const path = '/adminapi/system/overview/detail';

let server: LocalServer;
let client: Client;
let token: string;

beforeAll(async () => {
  server = await startLocalServer();
  client = createClient(server.url);
  token = await client.login();
});
afterAll(() => server?.stop());

test('counts what there is, and lists 30 days with the last one today', async () => {
  const content = { title: 'News', category: 'news', content: '<p>text</p>' };
  await client.post('/adminapi/article/article/add', content, { token });

  const { status, data } = await client.get(path, { token });

  expect(status).toBe(200);
  const none = { new_users: 0, ai_calls: 0, ai_input_tokens: 0, ai_output_tokens: 0 };
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format();
  expect(data).toMatchObject({ users: 0, admins: 1, articles: 1 });
  const { days } = Object(data);
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toEqual({ date: today, ...none });
});

test('refuses a guest', async () => {
  expect(await client.get(path)).toMatchObject({ status: 401, code: 'auth.token_missing' });
});
