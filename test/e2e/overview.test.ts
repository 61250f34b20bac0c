import { expect, test } from '@jest/globals';
import { useServer } from '../support/use-server.ts';

const path = '/adminapi/system/overview/detail';

const { client, admin, addAdmin, addRole } = useServer();

const addArticle = (title: string, status: 'enabled' | 'disabled') =>
  admin.post('/adminapi/article/article/add', {
    ...{ title, category: 'news', content: '<p>text</p>', status },
  });

test('counts what there is, and lists 30 days with the last one today', async () => {
  await addArticle('News', 'enabled');

  const { status, data } = await admin.get(path);

  expect(status).toBe(200);
  const none = { new_users: 0, ai_calls: 0, ai_input_tokens: 0, ai_output_tokens: 0 };
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format();
  expect(data).toMatchObject({ users: 0, admins: 1, articles: 1 });
  const { days } = data;
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toEqual({ date: today, ...none });
});

test('has a card with its list for each number, compared where the days are counted', async () => {
  const uncounted = { added: null, added_before: null };
  expect((await client.in('en').get(path, { token: admin.token })).data.cards).toEqual(
    expect.arrayContaining([
      { kind: 'users', title: 'Users', to: 'user-center/user', total: 0, added: 0, added_before: 0 },
      { kind: 'articles', title: 'Articles', to: 'article/article', total: 1, ...uncounted },
    ]),
  );
});

test('names what waits: drafts, and refused logins', async () => {
  await addArticle('Draft', 'disabled');
  await client.post('/adminapi/system/login/account', { account: 'stranger', password: 'wrong password' });

  const { data } = await client.in('en').get(path, { token: admin.token });

  expect(data.waiting).toHaveLength(2);
  const logins = { count: 1, to: 'system/audit?action=system/login/&outcome=refused' };
  const drafts = { count: 1, to: 'article/article?status=disabled' };
  expect(data.waiting).toEqual(
    expect.arrayContaining([
      { kind: 'refused_logins', title: 'Logins refused within 24 hours', ...logins },
      { kind: 'drafts', title: 'Articles that are not published', ...drafts },
    ]),
  );
});

test('shows a caller only what they may list', async () => {
  await addArticle('Another draft', 'disabled');
  const kindsFor = async (...grants: string[]) => {
    const { token } = await addAdmin({ roles: [await addRole('system/overview:read', ...grants)] });
    const { data } = await client.get(path, { token });
    return [...data.cards, ...data.waiting].map(({ kind }: { kind: string }) => kind);
  };

  expect(await kindsFor()).toEqual([]);
  expect(await kindsFor('article:read')).toEqual(['articles', 'drafts']);
});

test('refuses a guest', async () => {
  expect(await client.get(path)).toMatchObject({ status: 401, code: 'auth.token_missing' });
});
