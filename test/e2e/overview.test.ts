import { expect, test } from '@jest/globals';
import { useServer } from '../support/use-server.ts';

const path = '/adminapi/system/overview/detail';

const { client, admin } = useServer();
test('counts what there is, and lists 30 days with the last one today', async () => {
  const content = { title: 'News', category: 'news', content: '<p>text</p>' };
  await admin.post('/adminapi/article/article/add', content);

  const { status, data } = await admin.get(path);

  expect(status).toBe(200);
  const none = { new_users: 0, ai_calls: 0, ai_input_tokens: 0, ai_output_tokens: 0 };
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format();
  expect(data).toMatchObject({ users: 0, admins: 1, articles: 1 });
  const { days } = data;
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toEqual({ date: today, ...none });
});

test('refuses a guest', async () => {
  expect(await client.get(path)).toMatchObject({ status: 401, code: 'auth.token_missing' });
});
