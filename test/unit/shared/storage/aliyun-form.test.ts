import '../../../support/environment.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DirectTicket, StorageEngine } from '#shared/storage/engine.ts';
import { createPostForm } from '#shared/storage/engines/aliyun/signing.ts';
import { newKey } from '../../../contract/storage/direct-upload.ts';
import { postDirectly } from '../../../contract/storage/post-directly.ts';
import type { AliyunOssDouble } from '../../../doubles/aliyun-oss.ts';
import { signVersion1, signVersion4 } from '../../../doubles/oss-signatures.ts';
import { engineFor, png, settings, startOss, upload } from './aliyun-fixture.ts';

type Fields = Record<string, string>;
const decode = ({ policy = '' }: Fields): unknown => JSON.parse(Buffer.from(policy, 'base64').toString());

describe('the form', () => {
  const file = { ...upload('uploads/image/a.png', 1234), expiresAt: 1_893_456_000 };
  const now = new Date('2029-12-31T23:00:00.123Z');

  it('pins everything by version 1', () => {
    const { policy, Signature, ...fields } = createPostForm(settings, file, now);
    expect(fields).toEqual({
      key: 'uploads/image/a.png',
      'x-oss-content-type': 'image/png',
      'x-oss-forbid-overwrite': 'true',
      'x-oss-object-acl': 'default',
      success_action_status: '200',
      OSSAccessKeyId: settings.access_key,
    });
    expect(Signature).toMatch(/^[\w+/]{27}=$/);
    expect(decode({ policy: policy ?? '' })).toEqual({
      expiration: '2030-01-01T00:00:00.000Z',
      conditions: [
        { bucket: 'files-of-a-site' },
        ['content-length-range', 1234, 1234],
        ['eq', '$key', 'uploads/image/a.png'],
        ['eq', '$x-oss-content-type', 'image/png'],
        ['eq', '$x-oss-forbid-overwrite', 'true'],
        ['eq', '$x-oss-object-acl', 'default'],
        ['eq', '$success_action_status', '200'],
      ],
    });
  });

  it('has the fields of the signature of version 4', () => {
    const fields = createPostForm({ ...settings, region: 'oss-cn-hangzhou' }, file, now);
    const proof = {
      'x-oss-signature-version': 'OSS4-HMAC-SHA256',
      'x-oss-credential': `${settings.access_key}/20291231/cn-hangzhou/oss/aliyun_v4_request`,
      'x-oss-date': '20291231T230000Z',
    };
    expect(fields).toMatchObject({ ...proof, 'x-oss-signature': expect.stringMatching(/^[0-9a-f]{64}$/) });
    const named = Object.entries(proof).map(([name, value]) => ({ [name]: value }));
    expect(decode(fields)).toMatchObject({ conditions: expect.arrayContaining(named) });
    expect(fields).not.toHaveProperty('OSSAccessKeyId');
  });

  it.each([
    [{}, 'https://files.example.com/'],
    [{ domain: 'http://files.example.com:8080/' }, 'http://files.example.com:8080/'],
    [
      { endpoint: 'https://oss-cn-hangzhou.aliyuncs.com' },
      'https://files-of-a-site.oss-cn-hangzhou.aliyuncs.com/',
    ],
    [{ endpoint: 'https://up.example.com', cname: true }, 'https://up.example.com/'],
    [{ endpoint: 'https://oss.example.com', path_style: true }, 'https://oss.example.com/files-of-a-site/'],
    [{ endpoint: 'http://203.0.113.7:9000' }, 'http://203.0.113.7:9000/files-of-a-site/'],
  ])('goes where the settings %j say', async (changes, url) => {
    const ticket = await engineFor(settings.domain, changes).directTicket(file);
    expect(ticket).toMatchObject({ url, headers: {}, file_field: 'file' });
    expect(JSON.stringify(ticket)).not.toContain(settings.secret_key);
  });
});

describe.each([
  ['1', ''],
  ['4', 'cn-hangzhou'],
])('a client with a form of version %s', (_version, region) => {
  let double: AliyunOssDouble;
  let engine: StorageEngine;
  beforeAll(async () => {
    double = await startOss();
    engine = engineFor(double.boundUrl, { region });
  });
  afterAll(() => double.stop());

  it.each<[string, (fields: Fields) => Fields, string]>([
    ['another type', (fields) => ({ ...fields, 'x-oss-content-type': 'text/html' }), 'x-oss-content-type'],
    ['a type of its own', ({ 'x-oss-content-type': _type, ...fields }) => fields, 'x-oss-content-type'],
    ['an ACL', (fields) => ({ ...fields, 'x-oss-object-acl': 'public-read-write' }), 'x-oss-object-acl'],
    ['overwriting', (fields) => ({ ...fields, 'x-oss-forbid-overwrite': 'false' }), 'x-oss-forbid-overwrite'],
    [
      'silent overwriting',
      ({ 'x-oss-forbid-overwrite': _no, ...fields }) => fields,
      'x-oss-forbid-overwrite',
    ],
    ['another key', (fields) => ({ ...fields, key: `${fields.key}.html` }), '$key'],
    ['another status', (fields) => ({ ...fields, success_action_status: '201' }), 'success_action_status'],
    [
      'a policy of its own',
      (fields) => ({ ...fields, policy: Buffer.from('{}').toString('base64') }),
      'Signature',
    ],
    ['no policy', ({ policy: _policy, ...fields }) => fields, 'policy'],
  ])('cannot have %s', async (_name, fields, named) => {
    const answer = await postDirectly(await engine.directTicket(upload(newKey())), png, { fields });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).toContain(named);
    expect(double.objects.size).toBe(0);
  });

  it.each([
    [3, 'EntityTooSmall'],
    [5, 'EntityTooLarge'],
    [0, 'EntityTooSmall'],
  ])('cannot send %i bytes for 4', async (length, code) => {
    const ticket = await engine.directTicket(upload(newKey()));
    const form = toForm(ticket, new Uint8Array(length));
    const response = await fetch(ticket.url, { method: 'POST', body: form });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(code)]);
    expect(double.objects.size).toBe(0);
  });

  it('cannot open the object to others by a header', async () => {
    const key = newKey();
    const ticket = await engine.directTicket(upload(key));
    const headers = { 'x-oss-object-acl': 'public-read-write' };
    expect((await postDirectly({ ...ticket, headers }, png)).status).toBe(200);
    await engine.finalise(key, png.length);
    const url = String(engine.publicUrl(key));
    expect((await fetch(url, { method: 'PUT', body: 'mine' })).status).toBe(403);
    expect([...(await engine.readRange(key, 0, 10))]).toEqual([...png]);
  });

  it('cannot add an encoding that readers would decode', async () => {
    const key = newKey();
    const fields = (given: Fields) => ({ ...given, 'Content-Encoding': 'br' });
    await postDirectly(await engine.directTicket(upload(key)), png, { fields });
    expect(double.objects.get(key)?.headers).toHaveProperty('content-encoding', 'br');
    expect(await engine.finalise(key, png.length)).toEqual({ sizeBytes: 4 });
    expect(double.objects.get(key)).toMatchObject({
      headers: { 'content-type': 'image/png' },
      acl: 'default',
    });
    expect(double.objects.get(key)?.headers).not.toHaveProperty('content-encoding');
  });

  it('is finalised with one request', async () => {
    const key = newKey();
    await postDirectly(await engine.directTicket(upload(key)), png);
    const before = double.requests.length;
    await engine.finalise(key, png.length);
    expect(double.requests.slice(before)).toEqual([`HEAD /${key}`]);
  });
});

it('corrects a type that a service took from the client', async () => {
  const double = await startOss({ knowsTypeField: false });
  const engine = engineFor(double.boundUrl);
  const key = newKey();
  await postDirectly(await engine.directTicket(upload(key)), png);
  expect(double.objects.get(key)?.headers).toEqual({ 'content-type': 'text/html' });
  await engine.finalise(key, png.length);
  expect(double.objects.get(key)?.headers).toEqual({ 'content-type': 'image/png' });
  await double.stop();
});

// Checks the double's verification against the vendor's published signatures.
describe('published signatures', () => {
  it('are those of version 1', () => {
    // help.aliyun.com, "Include signatures in the Authorization header", "Signature calculation".
    const headers = {
      'content-md5': 'ODBGOERFMDMzQTczRUY3NUE3NzA5QzdFNUYzMDQxNEM=',
      'content-type': 'text/html',
      date: 'Thu, 17 Nov 2005 18:49:58 GMT',
      'x-oss-meta-author': 'foo@bar.com',
      'x-oss-magic': 'abracadabra',
    };
    const request = {
      method: 'PUT',
      bucket: 'oss-example',
      key: 'nelson',
      query: new URLSearchParams(),
      headers,
    };
    expect(signVersion1(request, 'OtxrzxIsfpFjA7SwPzILwy8Bw21TLhquhboDYROV')).toBe(
      '26NBxoKdsyly4EDv6inkoDft/yA=',
    );
  });

  it.each([
    ['20231216T162057Z', [], 'e21d18daa82167720f9b1047ae7e7f1ce7cb77a31e8203a7d5f4624fa0284afe'],
    ['20231216T172512Z', ['abc', 'zabc'], '4a4183c187c07c8947db7620deb0a6b38d9fbdd34187b6dbaccb316fa251212f'],
  ])('are those of version 4 at %s', (date, additional, signature) => {
    // From the tests of the vendor's SDKs for Go, Python, PHP and Java.
    const headers = {
      'x-oss-head1': 'value',
      abc: 'value',
      zabc: 'value',
      xyz: 'value',
      'content-type': 'text/plain',
      'x-oss-content-sha256': 'UNSIGNED-PAYLOAD',
      'x-oss-date': date,
    };
    const query = new URLSearchParams({
      param1: 'value1',
      '+param1': 'value3',
      '|param1': 'value4',
      '+param2': '',
      '|param2': '',
      param2: '',
    });
    const request = { method: 'PUT', bucket: 'bucket', key: '1234+-/123/1.txt', query, headers };
    expect(signVersion4(request, 'sk', 'cn-hangzhou', additional)).toBe(signature);
  });
});

function toForm({ fields, file_field }: DirectTicket, bytes: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(file_field, new File([bytes], 'picture.png'));
  return form;
}
