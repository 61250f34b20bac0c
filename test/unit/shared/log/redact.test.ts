import '../../../support/environment.ts';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createApiToken, readApiToken } from '#shared/auth/api-token-text.ts';
import { isSuspicious, redact, redactText } from '#shared/log/redact.ts';

const token = `v1.a1B2.${Buffer.from('{"sessionId":"s"}').toString('base64url')}.c2lnbmF0dXJl`;

const apiToken = `mcp_01J0000000000000000000000A_01J0000000000000000000000B_${'aB3-_'.repeat(8)}xyz`;

test.each([
  [`the token of ${apiToken} is gone`, 'the token of ****** is gone'],
  [`cut off: ${apiToken.slice(0, 40)}`, 'cut off: ******'],
  [`code=${apiToken.replace('mcp_', 'mcpc_')}&x=1`, 'code=******&x=1'],
  [`refresh ${apiToken.replace('mcp_', 'mcpr_')}`, 'refresh ******'],
  ['the tool mcp_call and the folder mcp_tools', 'the tool mcp_call and the folder mcp_tools'],
  [
    'POST /api/system/upload/part?ticket=a-b_c&offset=1',
    'POST /api/system/upload/part?ticket=******&offset=1',
  ],
  ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer ******'],
  [`the token ${token} is old`, 'the token ****** is old'],
  ['Incorrect API key provided: sk-0f8c1b7e5a9d4c3e', 'Incorrect API key provided: ******'],
  ['sent to +8613812345678, 008613812345678', 'sent to +86138****5678, 0086138****5678'],
  ['sent to 13812345678, 1234567890123', 'sent to 138****5678, 1234567890123'],
  [
    'GET https://a.example/b?OSSAccessKeyId=LTAI&Expires=1&Signature=abc%3D failed',
    'GET https://a.example/b?OSSAccessKeyId=******&Expires=1&Signature=****** failed',
  ],
  ['/f?X-Amz-Security-Token=x/y&X-Amz-Signature=9f', '/f?X-Amz-Security-Token=******&X-Amz-Signature=******'],
  ['/x?q-sign-algorithm=sha1&q-signature=12ab', '/x?q-sign-algorithm=sha1&q-signature=******'],
  ['{"password":"correct horse","name":"a"}', '{"password":"******","name":"a"}'],
  ['{"old_password":"a\\"b, c","name":"a"}', '{"old_password":"******","name":"a"}'],
  ['"{\\"password\\":\\"correct horse\\",\\"name\\":1}"', '"{\\"password\\":\\"******\\",\\"name\\":1}"'],
  ["{ api_key: 'of two words', name: 'a' }", "{ api_key: '******', name: 'a' }"],
  ['no secret here', 'no secret here'],
])('%s becomes %s', (text, expected) => {
  expect(redactText(text)).toBe(expected);
  expect(isSuspicious(text) || text === expected).toBe(true);
});

test('masks the tokens of every prefix, with any text around them', () => {
  const ref = { adminId: '01J0000000000000000000000A', id: '01J0000000000000000000000B' };
  const prefixes = fc.stringMatching(/^[a-z]{1,12}_$/);

  fc.assert(
    fc.property(prefixes, fc.constantFrom('', ' ', '"', '=', '_', '/'), (prefix, around) => {
      const made = createApiToken(ref, prefix);
      const line = `a${around}${made}${around} b`;

      expect(readApiToken(made, prefix)).toEqual(ref);
      expect(isSuspicious(line)).toBe(true);
      expect(redactText(line)).not.toContain(made.slice(-64));
      expect(JSON.stringify(redact({ text: line }))).not.toContain(made.slice(-64));
    }),
  );
});

test('needs linear time for a long text', () => {
  // Quadratic time would be hours.
  const long = 'a'.repeat(2_000_000);

  expect(redactText(`${long} password=correct`)).toBe(`${long} password=******`);
  expect(redactText(`{"token":"${long}`)).toBe('{"token":"******');
  expect(redactText('a_'.repeat(1_000_000))).toHaveLength(2_000_000);
  expect(isSuspicious(`${long}_0`)).toBe(false);
});

test('masks fields with the name of a secret at any depth, and keeps our own words', () => {
  const given = {
    password: 'a',
    headers: { authorization: 'x', Cookie: 'y' },
    list: [{ api_key: 'k', old_password: 'p', captcha_token: 't' }],
    code: '123456',
    outer: { code: 123456 },
    refused: { code: 'auth.token_missing' },
    usage: { input_tokens: 12, output_tokens: 3 },
    captcha_enabled: true,
  };

  expect(redact(given)).toEqual({
    password: '******',
    headers: { authorization: '******', Cookie: '******' },
    list: [{ api_key: '******', old_password: '******', captcha_token: '******' }],
    code: '******',
    outer: { code: '******' },
    refused: { code: 'auth.token_missing' },
    usage: { input_tokens: 12, output_tokens: 3 },
    captcha_enabled: true,
  });
});

test('makes JSON of other values', () => {
  const circle: Record<string, unknown> = { big: 12n, at: new Date(0), bytes: Buffer.from('secret') };
  circle.self = circle;
  const hostile = {
    get broken() {
      throw new Error('no');
    },
  };

  expect(redact({ circle, hostile, run: () => 1 })).toEqual({
    circle: { big: '12', at: '1970-01-01T00:00:00.000Z', bytes: '[6 bytes]', self: '[circular]' },
    hostile: { broken: '[unreadable]' },
    run: '[function]',
  });
});

test('never throws, and never passes a mobile or a token', () => {
  const secrets = fc.constantFrom('13812345678', `Bearer ${token}`, token, apiToken);
  const anything = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true });

  fc.assert(
    fc.property(anything, secrets, fc.string(), (value, secret, name) => {
      const text = JSON.stringify(redact({ value, nested: [{ [name]: `${secret} ` }] }));

      expect(text).not.toMatch(/13812345678|c2lnbmF0dXJl|aB3-_/);
    }),
  );
});
