import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditPartition, type StoredEntry, verifyAuditItem } from '#shared/audit/entry.ts';
import { queryPartition } from '#shared/db/items.ts';
import { type Functions, functionsAdministrator, startFunctions } from '../support/functions.ts';

type Json = Record<string, unknown>;

let functions: Functions;
let token = '';

beforeAll(async () => {
  functions = await startFunctions();
  const { data } = await post('/adminapi/system/login/account', functionsAdministrator);
  token = String(Object(data).token);
}, 120_000);

afterAll(() => functions?.stop());

async function post(path: string, body: unknown, bearer = token): Promise<Json> {
  const answer = await functions.call({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return JSON.parse(answer.body.toString());
}

/** Every entry of this month, verified. */
async function readLog(): Promise<StoredEntry[]> {
  const items = await queryPartition(auditPartition(new Date().toISOString().slice(0, 7)));
  const entries = items.flatMap((item) => verifyAuditItem(item) ?? []);
  expect(entries).toHaveLength(items.length);
  return entries;
}

/** The answer of a request, and the entries that it left. */
async function recordOf(path: string, body: unknown, bearer = token) {
  const before = new Set((await readLog()).map(({ id }) => id));
  const answer = await post(path, body, bearer);
  const entries = (await readLog()).filter(({ id }) => !before.has(id));
  return { answer, entries };
}

const article = {
  title: 'A title',
  category: 'news',
  content: '<p>rich text</p>',
  summary: 'a summary',
  status: 'enabled',
};

describe('a change by an administrator', () => {
  test('is recorded with who, what and from where', async () => {
    const { answer, entries } = await recordOf('/adminapi/article/article/add', article);

    const { id } = Object(answer.data);
    expect(entries).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        ttl: Math.floor(Date.parse(String(entries[0]?.at)) / 1000) + 200 * 86_400,
        actor: { kind: 'admin', id: expect.any(String), account: functionsAdministrator.account },
        channel: 'api',
        action: 'article/article/add',
        target: `article:${id}`,
        outcome: 'ok',
        code: 'ok',
        fields: {
          title: 'A title',
          category: 'news',
          summary: { length: 9 },
          content: { length: 16 },
          status: 'enabled',
        },
        request_id: answer.request_id,
        address: expect.any(String),
        mac: expect.any(String),
      },
    ]);
  });

  test('that is refused before it writes is recorded as refused', async () => {
    const id = '01J00000000000000000000000';
    const { answer, entries } = await recordOf('/adminapi/article/article/delete', { id });

    expect(answer.code).toBe('article.not_found');
    expect(entries).toMatchObject([
      { outcome: 'refused', code: 'article.not_found', target: null, fields: { id } },
    ]);
  });

  test('with a wrong body is recorded with the paths only', async () => {
    const { entries } = await recordOf('/adminapi/article/article/add', {
      ...article,
      title: 5,
      secret: 'x',
    });

    expect(entries).toMatchObject([
      { outcome: 'refused', code: 'request.invalid', fields: { invalid: ['body.title', 'body'] } },
    ]);
  });

  test.each([
    ['cannot be read', '{"title":', 'request.malformed'],
    ['is too large', JSON.stringify({ title: 'x'.repeat(2_000_000) }), 'request.too_large'],
  ])('whose body %s is recorded', async (_name, body, code) => {
    const { entries } = await recordOf('/adminapi/article/article/add', body);

    expect(entries).toMatchObject([{ outcome: 'refused', code, fields: {} }]);
  });

  test('is not recorded if the gates refuse it', async () => {
    const { answer, entries } = await recordOf('/adminapi/article/article/add', article, 'v1.forged.token.x');

    expect([answer.code, entries]).toEqual(['auth.token_invalid', []]);
  });
});
