import { beforeAll, describe, expect, test } from '@jest/globals';
import { ApiContract, type Observed } from '../../../support/api-contract.ts';
import { discoverHere, render } from './fixture.ts';

const json = 'application/json; charset=utf-8';
const dictionary = '/api/system/config/dict';
const addType = '/adminapi/system/setting/dict/type/add';

let contract: ApiContract;
beforeAll(async () => {
  contract = new ApiContract({ ...render(await discoverHere()) });
});

/** The contract's faults of a valid answer with these changes. */
function find(body: object, rest: Partial<Observed> = {}): string | undefined {
  const right = { code: 'ok', message: 'OK', data: {}, request_id: 'a' };
  const text = JSON.stringify({ ...right, ...body });
  return contract.findFault({
    method: 'GET',
    path: dictionary,
    status: 200,
    contentType: json,
    text,
    ...rest,
  });
}

const refusal = (code: string) => ({ code, data: null });

describe('the contract for answers', () => {
  test('accepts documented answers', () => {
    expect(find({ data: { bank_kind: [{ name: 'a', value: 'b' }] } })).toBeUndefined();
    expect(find(refusal('throttle.exceeded'), { status: 429 })).toBeUndefined();
    expect(find(refusal('site.closed'), { status: 503 })).toBeUndefined();
    expect(find({}, { status: 304, contentType: '', text: '' })).toBeUndefined();
    expect(find({}, { path: '/storage/a/b.png', contentType: 'image/png', text: '' })).toBeUndefined();
  });

  test.each<[string, object, Partial<Observed>]>([
    ['data of another shape', { data: { bank_kind: [{ name: 'a' }] } }, {}],
    ['data that should be null', { data: undefined }, {}],
    ['a field beside those of the envelope', { more: 1 }, {}],
    ['a status that the route does not have', refusal('dict.type_not_found'), { status: 404 }],
    ['a code that the route does not have', refusal('auth.captcha_invalid'), { status: 422 }],
    ['a code under another status', refusal('throttle.exceeded'), { status: 503 }],
    ['data of a failure that has none', { code: 'site.closed', data: {} }, { status: 503 }],
    ['another content type', {}, { contentType: 'text/html' }],
    ['a success of a path that is no route', {}, { path: '/api/system/nothing' }],
    ['a success of a method that is no route', {}, { method: 'PUT' }],
  ])('finds %s', (_title, body, rest) => {
    expect(find(body, rest)).toMatch(/^(GET|PUT) \/api\/system\/\S+ \d+: ./);
  });

  test('accepts only the codes of the fallback outside of routes', () => {
    const path = '/api/system/nothing';

    expect(find(refusal('route.not_found'), { path, status: 404 })).toBeUndefined();
    expect(find(refusal('file.not_found'), { path, status: 404 })).toContain('body/code');
    expect(find(refusal('route.method_not_allowed'), { method: 'PUT', status: 405 })).toBeUndefined();
  });

  test('finds an accepted request that is not documented', () => {
    const at = '2026-01-31T10:15:30.000Z';
    const own = { type_key: 'ab', name: 'a', enabled: true, public: false, remark: '', version: 1 };
    const data = { ...own, item_count: 0, created_at: at, updated_at: at };
    const ask = (sent: object, status = 200) =>
      find({ data }, { method: 'POST', path: addType, requestBody: JSON.stringify(sent), status });

    expect(ask({ type_key: 'ab', name: 'a', enabled: true })).toBeUndefined();
    expect(ask({ type_key: 'ab', name: 'a' })).toContain("must have required property 'enabled'");
  });
});
