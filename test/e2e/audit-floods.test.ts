import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeHour } from '#modules/System/audit/counts.ts';
import type { StoredEntry } from '#shared/audit/entry.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { verifyAuditItem } from '#shared/audit/stored-entries.ts';
import { queryPartition } from '#shared/db/items.ts';
import { type Functions, functionsAdministrator, startFunctions } from '../support/functions.ts';

// What others send as often as they like, and as they like.

let functions: Functions;
let token = '';

beforeAll(async () => {
  functions = await startFunctions();
  const answer = await send('/adminapi/system/login/account', JSON.stringify(functionsAdministrator));
  token = String(Object(JSON.parse(answer.body.toString())).data.token);
}, 120_000);

afterAll(() => functions?.stop());

const send = (path: string, body: string, type = 'application/json') =>
  functions.call({
    method: 'POST',
    path,
    body,
    headers: { 'content-type': type, ...(token && { authorization: `Bearer ${token}` }) },
  });

const readLog = async (): Promise<StoredEntry[]> =>
  (await queryPartition(auditPartition(new Date().toISOString().slice(0, 7)))).flatMap(
    (item) => verifyAuditItem(item) ?? [],
  );

/** The entries that some requests leave, and those of their counts. */
async function entriesOf(work: () => Promise<unknown>) {
  const before = new Set((await readLog()).map(({ id }) => id));
  await work();
  const left = (await readLog()).filter(({ id }) => !before.has(id));
  await closeHour(new Date().toISOString().slice(0, 13), Date.now());
  const known = new Set([...before, ...left.map(({ id }) => id)]);
  return { left, counted: (await readLog()).filter(({ id }) => !known.has(id)) };
}

describe('requests for tokens by anybody', () => {
  const mark = 'hunter2';
  const forms = Array.from({ length: 6 }, (_, index) => ({
    grant_type: index < 3 ? 'refresh_token' : `${mark} ${randomUUID()}`,
    client_id: `https://${mark}.example/${randomUUID()}`,
    redirect_uri: `https://${mark}.example/?${mark}`,
    refresh_token: randomUUID(),
    ...{ scope: mark, resource: `https://${mark}.example` },
  }));

  test('leave one entry for each failure under any name, and none of their text', async () => {
    const form = 'application/x-www-form-urlencoded';
    const { left, counted } = await entriesOf(async () => {
      for (const each of forms) await send('/oauth/token', new URLSearchParams(each).toString(), form);
    });

    const failures = ['oauth.invalid_grant', 'oauth.unsupported_grant_type'];
    expect(left.map(({ code }) => code).sort()).toEqual(failures);
    expect(counted.map(({ code, count }) => [code, count]).sort()).toEqual(failures.map((code) => [code, 2]));
    expect(JSON.stringify([left, counted])).not.toContain(mark);
    expect(left.find(({ code }) => code === 'oauth.invalid_grant')?.fields.grant_type).toBe('refresh_token');
  });
});

describe('requests that are not valid', () => {
  const path = '/adminapi/article/article/add';

  test.each([
    ['cannot be read', '{"title":', 'request.malformed'],
    ['have wrong fields', '{"title":5}', 'request.invalid'],
  ])('and %s leave one entry an hour; the others are counted', async (_name, body, code) => {
    const { left, counted } = await entriesOf(async () => {
      for (let each = 0; each < 5; each += 1) await send(path, body);
    });

    const common = { action: 'article/article/add', outcome: 'refused', code };
    expect(left).toMatchObject([common]);
    expect(counted).toMatchObject([{ ...common, count: 4, target: null }]);
  });
});

describe('changes by one administrator', () => {
  test('are limited, on all routes together', async () => {
    const body = JSON.stringify({ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' });

    const answers = [
      await send('/adminapi/article/article/delete', body),
      await send('/adminapi/system/role/delete', body),
    ];

    const [first, second] = answers.map(({ headers }) => Number(headers['ratelimit-remaining']));
    expect(answers.map(({ headers }) => Number(headers['ratelimit-limit']) % 600)).toEqual([0, 0]);
    expect(second).toBe(Number(first) - 1);
  });
});
