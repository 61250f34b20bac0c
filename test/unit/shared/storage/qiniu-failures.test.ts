import '../../../support/environment.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createEngine as createQiniuEngine } from '#shared/storage/engines/qiniu/engine.ts';
import { newKey } from '../../../contract/storage/direct-upload.ts';
import { misbehaviours, startMisbehaving } from '../../../doubles/misbehaving.ts';
import { keys, png, startKodo, toSettings, toUpload } from './qiniu-fixture.ts';
import { failureOf } from './storage-fixture.ts';

/** Short, for servers that never answer. */
const timeoutMs = 300;

describe('a service in trouble', () => {
  test('shows the reason of a refusal, except texts like a token', async () => {
    const double = await startMisbehaving('answers 502 with JSON');
    const engine = createQiniuEngine(toSettings(new URL(double.url).host));

    double.answer = { error: 'incorrect region, please use up-z2.qiniup.com' };
    expect((await failureOf(() => engine.stat(newKey()))).text).toContain(
      'incorrect region, please use up-z2',
    );
    double.answer = { error: `bad token ${keys.access_key}:${'a'.repeat(27)}=` };
    expect((await failureOf(() => engine.stat(newKey()))).text).not.toContain(keys.access_key);
    await double.stop();
  });

  test('does not read an endless answer to the end', async () => {
    const double = await startMisbehaving('answers too much');
    const engine = createQiniuEngine(toSettings(new URL(double.url).host));

    expect((await failureOf(() => engine.stat(newKey()))).text).toContain(
      'answered 200 to stat without JSON',
    );
    expect(await engine.readRange(newKey(), 1, 10)).toHaveLength(9);
    await double.stop();
  });

  test('is asked at the next host if one host fails', async () => {
    const [dead, live] = [await startMisbehaving('answers 502 with JSON'), await startKodo()];
    const gone = await startMisbehaving('hangs');
    await gone.stop();
    const { host } = live;
    live.regionHosts = { up: [new URL(dead.url).host, host], rs: [new URL(gone.url).host, host] };
    const engine = createQiniuEngine(toSettings('', { domain: host, uc_host: host }));
    const key = newKey();

    await engine.put(key, png, 'image/png');

    expect(await engine.stat(key)).toEqual({ sizeBytes: png.length });
    expect(dead.requests).toBe(1);
    await Promise.all([dead.stop(), live.stop()]);
  });
});

describe('the region', () => {
  const unhandled = jest.fn();
  beforeAll(() => void process.on('unhandledRejection', unhandled));
  afterAll(() => void process.off('unhandledRejection', unhandled));

  test('is queried again after a failure, and then cached', async () => {
    const region = await startKodo();
    const engine = createQiniuEngine(toSettings('', { domain: region.url, uc_host: region.host }));
    region.misbehave = (_incoming, response) => Boolean(response.writeHead(500).end());

    expect(await failureOf(() => engine.directTicket(toUpload()))).toMatchObject({
      code: 'storage.unavailable',
    });
    expect(region.requests).toEqual(['GET /v4/query', 'GET /v4/query']);
    region.misbehave = undefined;
    const tickets = await Promise.all([1, 2, 3].map(() => engine.directTicket(toUpload())));
    await engine.stat(newKey());

    expect(tickets.map(({ url }) => url)).toEqual(Array(3).fill(`${region.url}/`));
    expect(region.requests.filter((request) => request === 'GET /v4/query')).toHaveLength(3);
    expect(unhandled).not.toHaveBeenCalled();
    await region.stop();
  });

  test('is queried twice if a host fails once', async () => {
    const region = await startKodo();
    const engine = createQiniuEngine(toSettings('', { uc_host: region.host }));
    region.misbehave = (_incoming, response) => {
      region.misbehave = undefined;
      return Boolean(response.writeHead(502).end());
    };

    expect(await engine.directTicket(toUpload())).toMatchObject({ url: `${region.url}/` });
    await region.stop();
  });

  test.each(misbehaviours)('is unavailable if its host %s', async (misbehaviour) => {
    const double = await startMisbehaving(misbehaviour);
    const settings = toSettings('', { domain: double.url, uc_host: new URL(double.url).host });
    const engine = createQiniuEngine(settings, { timeoutMs });

    const failures = await Promise.all(
      [1, 2].map(() => failureOf(() => engine.put(newKey(), png, 'image/png'))),
    );

    await double.stop();
    for (const { code, text } of failures) {
      expect(code).toBe('storage.unavailable');
      expect(text).not.toContain(keys.access_key);
    }
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('is refused if it has invalid hosts', async () => {
    const region = await startKodo();
    region.regionHosts = { up: ['user:password@files.example.com/?'], rs: [region.host] };
    const engine = createQiniuEngine(toSettings('', { uc_host: region.host }));

    expect(await failureOf(() => engine.directTicket(toUpload()))).toMatchObject({
      code: 'storage.unavailable',
    });
    await region.stop();
  });
});
