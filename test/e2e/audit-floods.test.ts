import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { countRefusals, recordWork, useFunctions } from '../support/use-functions.ts';

// What others send as often as they like, and as they like.

const { client, admin } = useFunctions();

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
    const { entries: left } = await recordWork(async () => {
      for (const form of forms) await client.ask('/oauth/token', { form });
    });
    const counted = await countRefusals();

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
    const { entries: left } = await recordWork(async () => {
      for (let each = 0; each < 5; each += 1) await admin.post(path, body);
    });
    const counted = await countRefusals();

    const common = { action: 'article/article/add', outcome: 'refused', code };
    expect(left).toMatchObject([common]);
    expect(counted).toMatchObject([{ ...common, count: 4, target: null }]);
  });
});

describe('changes by one administrator', () => {
  test('are limited, on all routes together', async () => {
    const body = { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' };

    const answers = [
      await admin.post('/adminapi/article/article/delete', body),
      await admin.post('/adminapi/system/role/delete', body),
    ];

    const [first, second] = answers.map(({ headers }) => Number(headers.get('ratelimit-remaining')));
    expect(answers.map(({ headers }) => Number(headers.get('ratelimit-limit')) % 600)).toEqual([0, 0]);
    expect(second).toBe(Number(first) - 1);
  });
});
