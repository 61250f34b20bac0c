import '../../../support/environment.ts';
import type { LookupFunction } from 'node:net';
import { describe, expect, jest, test } from '@jest/globals';
import { assertPublicEndpoint } from '#shared/net/endpoint.ts';
import type { OutboundPolicy } from '#shared/net/public-address.ts';

const resolveTo = (...addresses: string[]) =>
  jest.fn<LookupFunction>((_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    ),
  );
const failWith =
  (code: string): LookupFunction =>
  (_hostname, _options, callback) =>
    callback(Object.assign(new Error(code), { code }), '');
const denied = expect.objectContaining({ name: 'AppError', code: 'config.endpoint_denied', status: 422 });
const check = (url: string, policy: Partial<OutboundPolicy> = {}) =>
  assertPublicEndpoint(url, { allowPrivate: false, lookup: resolveTo('93.184.216.34'), ...policy });

describe('a public endpoint', () => {
  test.each([
    'https://api.example.com',
    'http://api.example.com:8080/base/',
    'https://8.8.8.8',
    'https://[2606:4700::1]/',
  ])('passes: %s', async (url) => {
    await expect(check(url)).resolves.toBeUndefined();
  });

  test('passes when all of its addresses are public', async () => {
    const lookup = resolveTo('93.184.216.34', '2606:4700::1');

    await expect(check('https://api.example.com', { lookup })).resolves.toBeUndefined();
    expect(lookup).toHaveBeenCalledWith('api.example.com', { all: true }, expect.anything());
  });
});

describe('an endpoint is denied', () => {
  test.each([
    'http://127.0.0.1:3000',
    'http://127.1/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.100.100.200/',
    'https://192.168.1.1/',
    'https://[fd00::1]/',
    'https://0.0.0.0/',
  ])('for its address: %s', async (url) => {
    await expect(check(url)).rejects.toEqual(denied);
  });

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '100.64.0.1',
    '224.0.0.1',
    '::1',
    '::ffff:8.8.8.8',
    'fe80::1',
    'fd00::1',
  ])('when one of its addresses is %s', async (address) => {
    await expect(check('https://api.example.com', { lookup: resolveTo('8.8.8.8', address) })).rejects.toEqual(
      denied,
    );
  });

  test.each(['ENOTFOUND', 'EAI_AGAIN'])('when its name does not resolve: %s', async (code) => {
    await expect(check('https://api.example.com', { lookup: failWith(code) })).rejects.toEqual(denied);
  });

  test.each([
    '',
    'api.example.com',
    '//api.example.com',
    'ftp://api.example.com',
    'javascript:alert(1)',
    'https://',
  ])('for its form: "%s"', async (url) => {
    await expect(check(url)).rejects.toEqual(denied);
    await expect(check(url, { allowPrivate: true })).rejects.toEqual(denied);
  });

  test('for credentials, which its cause does not repeat', async () => {
    const error = await check('https://user-word:pass-word@api.example.com').catch((reason: Error) => reason);

    expect(error).toEqual(denied);
    expect(String((error as Error).cause)).not.toMatch(/user-word|pass-word/);
  });
});

test('accepts private addresses without resolving them if they are allowed', async () => {
  const lookup = resolveTo('127.0.0.1');

  await check('http://127.0.0.1:9000', { allowPrivate: true, lookup });
  await check('http://storage.internal', { allowPrivate: true, lookup });

  expect(lookup).not.toHaveBeenCalled();
});

test('resolves the names of this machine by default', async () => {
  await expect(assertPublicEndpoint('http://localhost:3000', { allowPrivate: false })).rejects.toEqual(
    denied,
  );
});
