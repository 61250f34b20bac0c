import { describe, expect, test } from '@jest/globals';
import qiniu from 'qiniu';
import { createSigner } from '#shared/storage/engines/qiniu/signing.ts';
import { toEtag } from '../../../doubles/qiniu-content.ts';
import {
  managementText,
  oldManagementText,
  readUploadToken,
  signQiniu,
  verifyDownload,
  verifyManagement,
} from '../../../doubles/qiniu-signatures.ts';
import type { DoubleRequest } from '../../../doubles/serve.ts';

// The keys and URLs of the examples at developer.qiniu.com.
const published = { accessKey: 'MY_ACCESS_KEY', secretKey: 'MY_SECRET_KEY' };
const movePath = '/move/bmV3ZG9jczpmaW5kX21hbi50eHQ=/bmV3ZG9jczpmaW5kLm1hbi50eHQ=';
const gate = { keys: { [published.accessKey]: published.secretKey }, now: () => Date.now() };

const toRequest = (change: Partial<DoubleRequest>): DoubleRequest => ({
  method: 'POST',
  path: '/',
  query: '',
  headers: {},
  body: '',
  ...change,
});

describe('published signatures', () => {
  test('of a management request hold', () => {
    const request = toRequest({ path: movePath });

    expect(signQiniu(published.secretKey, managementText(request, 'rs.qiniu.com'))).toBe(
      '1uLvuZM6l6oCzZFqkJ6oI4oFMVQ=',
    );
    expect(signQiniu(published.secretKey, oldManagementText(request))).toBe('FXsYh0wKHYPEsIAgdPD9OfjkeEM=');
  });

  // From the tests of Qiniu's SDKs for Go, Java and Python.
  test.each([
    ['', 'fkRck5_LeyfwdkyyLk-hyNwGKac='],
    ['s=er3&df', 'PUFPWsEUIpk_dzUvvxTTmwhp3p4='],
  ])('of headers, a body and the query "%s" hold', (query, signature) => {
    const request = toRequest({
      method: 'GET',
      path: '/mkfile/sdf.jpg',
      query,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-qiniu-bbb': 'BBB',
        'x-qiniu-aaa': 'DDD',
        'x-qiniu-': 'a',
        'x-qiniu': 'b',
      },
      body: 'name=test&language=go',
    });

    expect(signQiniu('sk', managementText(request, 'upload.qiniup.com'))).toBe(signature);
  });

  test('of an upload policy hold', () => {
    const policy =
      '{"scope":"my-bucket:sunflower.jpg","deadline":1451491200,"returnBody":' +
      '"{\\"name\\":$(fname),\\"size\\":$(fsize),\\"w\\":$(imageInfo.width),\\"h\\":$(imageInfo.height),\\"hash\\":$(etag)}"}';
    const token = `MY_ACCESS_KEY:wQ4ofysef1R7IKnrziqtomqyDvI=:${Buffer.from(policy).toString('base64')}`;

    expect(readUploadToken(token, gate)).toMatchObject({ scope: 'my-bucket:sunflower.jpg' });
  });

  test('of a download hold until they expire', () => {
    const url = 'http://78re52.com1.z0.glb.clouddn.com/resource/flower.jpg';
    const link = `${url}?e=1451491200&token=MY_ACCESS_KEY:438dd8pXocjYuF-6dTcKMtETB2g=`;
    const signer = createSigner({ bucket: 'b', access_key: 'MY_ACCESS_KEY', secret_key: 'MY_SECRET_KEY' });

    expect(signer.downloadUrl(url, 1_451_491_200)).toBe(link);
    expect(verifyDownload(link, { ...gate, now: () => 1_451_491_200_000 })).toBeUndefined();
    expect(verifyDownload(link, { ...gate, now: () => 1_451_491_201_000 })?.error).toBe('token out of date');
  });

  test('of content hold', () => {
    expect(toEtag(Buffer.from('hello retry!'))).toBe('FlYu0iBR1WpvYi4whKXiBuQpyLLk');
  });
});

describe('a management request to a host with a port', () => {
  const url = new URL('http://127.0.0.1:8080/stat/Yjpr');
  const path = url.pathname;

  test('is signed as the service reads it', () => {
    const signer = createSigner({ bucket: 'b', access_key: 'MY_ACCESS_KEY', secret_key: 'MY_SECRET_KEY' });
    const headers = { ...signer.authorize('GET', url), host: url.host };

    expect(verifyManagement(toRequest({ method: 'GET', path, headers }), gate)).toBe('ok');
    expect(
      verifyManagement(toRequest({ method: 'GET', path, headers }), { ...gate, now: () => Date.now() + 1e6 }),
    ).toMatchObject({ status: 403 });
  });

  test('is signed by the SDK as only a double reads it', () => {
    const mac = new qiniu.auth.digest.Mac(published.accessKey, published.secretKey);
    const type = 'application/x-www-form-urlencoded';
    const authorization = qiniu.util.generateAccessTokenV2(mac, url.href, 'GET', type);
    const headers = { 'content-type': type, authorization, host: url.host };

    expect(verifyManagement(toRequest({ method: 'GET', path, headers }), gate)).toBe('doubled');
  });
});
