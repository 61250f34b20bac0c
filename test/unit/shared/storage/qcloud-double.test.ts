import { describe, expect, test } from '@jest/globals';
import { verifyCosForm, verifyCosRequest } from '../../../doubles/verify-cos.ts';

// The documentation's own examples ("Request Signature", "POST Object"), with the keys it gives for them.
const id = 'AKIDQjz3ltompVjBni5LitkWHFlFpwkn9U5q';
const secret = 'BQYIM75p8x0iWVFSIgqEKwFprpRSVHlz';
const keysAt = (seconds: number) => ({ keys: { [id]: secret }, now: () => seconds * 1000 });
const path = '/exampleobject(%E8%85%BE%E8%AE%AF%E4%BA%91)';
const host = 'examplebucket-1250000000.cos.ap-beijing.myqcloud.com';
const authorize = (time: string, headers: string, parameters: string, signature: string) =>
  [
    `q-sign-algorithm=sha1&q-ak=${id}&q-sign-time=${time}&q-key-time=${time}`,
    `q-header-list=${headers}&q-url-param-list=${parameters}&q-signature=${signature}`,
  ].join('&');
const upload = {
  method: 'PUT',
  path,
  query: '',
  headers: {
    date: 'Thu, 16 May 2019 06:45:51 GMT',
    host,
    'content-type': 'text/plain',
    'content-length': '13',
    'content-md5': 'mQ/fVh815F3k6TAUm8m0eg==',
    'x-cos-acl': 'private',
    'x-cos-grant-read': 'uin="100000000011"',
    authorization: authorize(
      '1557989151;1557996351',
      'content-length;content-md5;content-type;date;host;x-cos-acl;x-cos-grant-read',
      '',
      '3b8851a11a569213c17ba8fa7dcf2abec6935172',
    ),
  },
};
const download = {
  method: 'GET',
  path,
  query: 'response-content-type=application%2Foctet-stream&response-cache-control=max-age%3D600',
  headers: {
    date: 'Thu, 16 May 2019 06:55:53 GMT',
    host,
    authorization: authorize(
      '1557989753;1557996953',
      'date;host',
      'response-cache-control;response-content-type',
      '01681b8c9d798a678e43b685a9f1bba0f6c0e012',
    ),
  },
};

describe('the signature of a request', () => {
  test.each([
    ['upload', upload],
    ['download', download],
  ])('fits in the example of an %s', (_name, request) => {
    expect(verifyCosRequest(request, keysAt(1_557_990_000))).toBeUndefined();
  });

  test.each([
    ['another method', { ...upload, method: 'DELETE' }],
    ['another path', { ...upload, path: '/exampleobject' }],
    ['another header', { ...upload, headers: { ...upload.headers, 'x-cos-acl': 'public-read' } }],
    ['a signed header less', { ...upload, headers: { ...upload.headers, 'content-type': undefined } }],
    ['another parameter', { ...download, query: download.query.replace('600', '601') }],
  ])('does not fit %s', (_name, request) => {
    expect(verifyCosRequest(request, keysAt(1_557_990_000))).toMatchObject({ code: 'SignatureDoesNotMatch' });
  });

  test.each([1_557_989_150, 1_557_996_352])('is not valid at %i', (seconds) => {
    expect(verifyCosRequest(upload, keysAt(seconds))).toMatchObject({ code: 'AccessDenied' });
  });

  test('needs a known key', () => {
    const noKeys = { keys: {}, now: () => 1_557_990_000_000 };

    expect(verifyCosRequest(upload, noKeys)).toMatchObject({ code: 'InvalidAccessKeyId' });
  });
});

const examplePolicy = `{
    "expiration": "2019-08-30T09:38:12.414Z",
    "conditions": [
        { "acl": "default" },
        { "bucket": "examplebucket-1250000000" },
        [ "starts-with", "$key", "folder/subfolder/" ],
        [ "starts-with", "$Content-Type", "image/" ],
        [ "starts-with", "$success_action_redirect", "https://my.website/" ],
        [ "eq", "$x-cos-server-side-encryption", "AES256" ],
        { "q-sign-algorithm": "sha1" },
        { "q-ak": "AKIDQjz3ltompVjBni5LitkWHFlFpwkn9U5q" },
        { "q-sign-time": "1567150692;1567157892" }
    ]
}`;

describe('the signature of a form', () => {
  const fields = new Map([
    ['q-sign-algorithm', 'sha1'],
    ['q-ak', id],
    ['q-key-time', '1567150692;1567157892'],
    ['q-signature', '7758dc9a832e9d301dca704cacbf9d9f8172fdef'],
  ]);

  test('fits in the example', () => {
    expect(verifyCosForm(fields, examplePolicy, keysAt(1_567_150_700))).toBeUndefined();
  });

  test('does not fit another policy', () => {
    const policy = examplePolicy.replace('image/', 'text/');

    expect(verifyCosForm(fields, policy, keysAt(1_567_150_700))).toMatchObject({
      code: 'SignatureDoesNotMatch',
    });
  });

  test('is not valid after its time', () => {
    expect(verifyCosForm(fields, examplePolicy, keysAt(1_567_157_893))).toMatchObject({
      code: 'AccessDenied',
    });
  });
});
