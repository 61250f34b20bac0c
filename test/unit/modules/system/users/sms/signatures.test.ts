import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type Acs3Request, signAcs3 } from '#modules/System/users/sms/aliyun.ts';
import { signTc3, type Tc3Request } from '#modules/System/users/sms/qcloud.ts';
import type { DoubleRequest } from '../../../../../doubles/serve.ts';
import { verifyAcs3 } from '../../../../../doubles/verify-acs3.ts';
import { verifyTc3 } from '../../../../../doubles/verify-tc3.ts';

const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const anyText = fc.string({ unit: 'grapheme', maxLength: 20 });

describe('ACS3-HMAC-SHA256', () => {
  // The example with fixed parameters of Alibaba Cloud's "Request structure and signature V3".
  const published = {
    method: 'POST',
    path: '/',
    query: 'ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai',
    body: '',
    headers: {
      host: 'ecs.cn-shanghai.aliyuncs.com',
      'x-acs-action': 'RunInstances',
      'x-acs-content-sha256': emptyHash,
      'x-acs-date': '2023-10-26T10:22:32Z',
      'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703d',
      'x-acs-version': '2014-05-26',
      authorization:
        'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
    },
  };
  const at = new Date('2023-10-26T10:22:32Z');
  const request: Acs3Request = {
    host: 'ecs.cn-shanghai.aliyuncs.com',
    action: 'RunInstances',
    version: '2014-05-26',
    query: { RegionId: 'cn-shanghai', ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd' },
    accessKey: 'YourAccessKeyId',
    secretKey: 'YourAccessKeySecret',
    at,
    nonce: '3156853299f313e23d1673dc12e1703d',
  };
  const gateway = () => ({
    keys: { YourAccessKeyId: 'YourAccessKeySecret' },
    now: at.getTime,
    nonces: new Set<string>(),
  });
  const verify = (given: DoubleRequest, now = at.getTime()) =>
    verifyAcs3(given, { ...gateway(), now: () => now })?.code;
  const signed = (changes: Partial<Acs3Request> = {}): DoubleRequest => {
    const { query, headers } = signAcs3({ ...request, ...changes });
    return {
      method: 'POST',
      path: '/',
      query,
      body: '',
      headers: { host: changes.host ?? request.host, ...headers },
    };
  };

  test('gives the published example its published signature', () => {
    const { query, headers } = signAcs3(request);

    expect({ ...published, query, headers: { host: request.host, ...headers } }).toEqual(published);
  });

  test('is accepted by the double if it is the published one', () => {
    expect(verify(published)).toBeUndefined();
  });

  test('is taken by the double for any parameters, secret and time', () => {
    const query = fc.dictionary(fc.string(), anyText, { maxKeys: 6, noNullPrototype: true });
    const time = fc.date({ min: new Date(0), max: new Date('2099-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(query, anyText, time, fc.uuid(), (query, secretKey, at, nonce) => {
        const given = signed({ query, secretKey, at, nonce });
        const gateway = {
          keys: { YourAccessKeyId: secretKey },
          now: () => at.getTime(),
          nonces: new Set<string>(),
        };
        expect(verifyAcs3(given, gateway)).toBeUndefined();
      }),
    );
  });

  test.each<[string, (given: DoubleRequest) => DoubleRequest, string?]>([
    ['method', (given) => ({ ...given, method: 'GET' })],
    ['path', (given) => ({ ...given, path: '/x' })],
    ['query', (given) => ({ ...given, query: `${given.query}1` })],
    ['body', (given) => ({ ...given, body: 'x' })],
    ['action', (given) => withHeader(given, 'x-acs-action', 'DeleteInstances')],
    ['host', (given) => withHeader(given, 'host', 'evil.test')],
    ['nonce', (given) => withHeader(given, 'x-acs-signature-nonce', 'x')],
    ['date', (given) => withHeader(given, 'x-acs-date', '2023-10-26T10:22:33Z')],
    [
      'form of the date',
      (given) => withHeader(given, 'x-acs-date', '2023-10-26T10:22:32.000Z'),
      'InvalidTimeStamp.Format',
    ],
    [
      'headers, by one that is not signed',
      (given) => withHeader(given, 'x-acs-extra', 'y'),
      'IncompleteSignature',
    ],
    [
      'authorization, by its absence',
      (given) => withHeader(given, 'authorization', undefined),
      'IncompleteSignature',
    ],
  ])('covers the %s', (_what, tamper, code = 'SignatureDoesNotMatch') => {
    expect(verify(tamper(signed()))).toBe(code);
  });
});

describe('TC3-HMAC-SHA256', () => {
  // The example of Tencent Cloud's "Signature v3", with its hash of the canonical request.
  const published = {
    method: 'POST',
    path: '/',
    query: '',
    body: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
    headers: {
      host: 'cvm.tencentcloudapi.com',
      'content-type': 'application/json; charset=utf-8',
      'x-tc-action': 'DescribeInstances',
      'x-tc-timestamp': '1551113065',
      'x-tc-version': '2017-03-12',
      'x-tc-region': 'ap-guangzhou',
      authorization:
        'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host, Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
    },
  };
  const at = new Date(1_551_113_065_000);
  const request: Tc3Request = {
    host: 'cvm.tencentcloudapi.com',
    service: 'cvm',
    action: 'DescribeInstances',
    version: '2017-03-12',
    region: 'ap-guangzhou',
    body: published.body,
    secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
    secretKey: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
    at,
  };
  const keys = { [request.secretId]: request.secretKey };
  const verify = (given: DoubleRequest, now = at.getTime()) =>
    verifyTc3(given, { keys, service: 'cvm', now: () => now })?.code;
  const signed = (changes: Partial<Tc3Request> = {}): DoubleRequest => {
    const given = { ...request, ...changes };
    return { ...published, body: given.body, headers: { host: given.host, ...signTc3(given) } };
  };

  test('gives the published example its published signature', () => {
    expect({ host: request.host, ...signTc3(request) }).toEqual(published.headers);
  });

  test('is accepted by the double if it is the published one', () => {
    expect(verify(published)).toBeUndefined();
  });

  test('is accepted by the double for any body, secret and time', () => {
    const time = fc.date({ min: new Date(0), max: new Date('2099-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(anyText, anyText, time, (body, secretKey, at) => {
        const gateway = { keys: { [request.secretId]: secretKey }, service: 'cvm', now: () => at.getTime() };
        expect(verifyTc3(signed({ body, secretKey, at }), gateway)).toBeUndefined();
      }),
    );
  });

  test.each<[string, (given: DoubleRequest) => DoubleRequest, string?]>([
    ['method', (given) => ({ ...given, method: 'PUT' })],
    ['query', (given) => ({ ...given, query: 'a=1' })],
    ['body', (given) => ({ ...given, body: `${given.body} ` })],
    ['content type', (given) => withHeader(given, 'content-type', 'text/plain')],
    ['host', (given) => withHeader(given, 'host', 'evil.test')],
    ['timestamp', (given) => withHeader(given, 'x-tc-timestamp', '1551113066')],
    [
      'authorization, by its absence',
      (given) => withHeader(given, 'authorization', undefined),
      'AuthFailure.InvalidAuthorization',
    ],
  ])('covers the %s', (_what, tamper, code = 'AuthFailure.SignatureFailure') => {
    expect(verify(tamper(signed()))).toBe(code);
  });
});

function withHeader(given: DoubleRequest, name: string, value: string | undefined): DoubleRequest {
  return { ...given, headers: { ...given.headers, [name]: value } };
}
