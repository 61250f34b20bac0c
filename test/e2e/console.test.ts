import '../support/environment.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { buildConsole } from '#cli/console/build-console.ts';
import { writeValues } from '#shared/settings/store.ts';
import { aliyun } from '#shared/storage/engines/aliyun/settings.ts';
import { qcloud } from '#shared/storage/engines/qcloud/settings.ts';
import { qiniu } from '#shared/storage/engines/qiniu/settings.ts';
import { useFunctions } from '../support/use-functions.ts';

// The built console, as its function answers it.

beforeAll(() => buildConsole(), 120_000);
const { functions } = useFunctions({ login: false });
beforeAll(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
});
afterAll(() => {
  jest.restoreAllMocks();
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  functions.call({ method: 'GET', path, headers });

const { performance } = globalThis;
const now = performance.now.bind(performance);
let passedMs = 0;

/** The sources of each directive of the index's policy, a minute later: an instance keeps it so long. */
async function readPolicy(): Promise<Record<string, string[]>> {
  passedMs += 60_000;
  const { status, headers } = await ask('/console/');
  expect(status).toBe(200);
  const directives = String(headers['content-security-policy']).split('; ');
  return Object.fromEntries(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

const access = { access_key: 'a-key', secret_key: 'a-secret' };
const site = 'http://localhost:3000';

describe('the policy of the console', () => {
  test('allows this site only without a cloud', async () => {
    expect(await readPolicy()).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'font-src': ["'self'"],
      'connect-src': ["'self'", site],
      'img-src': ["'self'", site, 'data:', 'blob:'],
      'media-src': ["'self'", site, 'data:', 'blob:'],
      'frame-ancestors': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
    });
  });

  test('follows the settings of the engines', async () => {
    const domain = 'https://cdn.example.com/';
    await writeValues(qiniu, { bucket: 'files', ...access, domain, up_host: 'up.example.com' });
    await writeValues(aliyun, {
      ...{ bucket: 'files', ...access, domain: 'https://oss-files.example.com' },
      endpoint: 'https://oss.example.com',
    });

    const first = await readPolicy();
    expect(first['connect-src']).toEqual([
      ...["'self'", site],
      ...['https://up.example.com', 'https://files.oss.example.com'],
    ]);
    const files = ['https://cdn.example.com', 'https://oss-files.example.com'];
    expect(first['img-src']).toEqual(["'self'", site, ...files, 'data:', 'blob:']);
    expect(first['media-src']).toEqual(first['img-src']);

    await writeValues(qiniu, { up_host: 'up-2.example.com' });
    await writeValues(aliyun, { bucket: '' });
    await writeValues(qcloud, { bucket: 'files-1250000000', region: 'ap-guangzhou', ...access, domain });

    const second = await readPolicy();
    expect(second['connect-src']).toEqual([
      ...["'self'", site],
      ...['https://up-2.example.com', 'https://files-1250000000.cos.ap-guangzhou.myqcloud.com'],
    ]);
    expect(second['img-src']).toEqual(["'self'", site, 'https://cdn.example.com', 'data:', 'blob:']);
  });

  test('leaves an engine out whose hosts cannot be found, and still answers', async () => {
    await writeValues(qiniu, { up_host: '', uc_host: 'http://127.0.0.1:9' });

    expect((await readPolicy())['connect-src']).toEqual([
      ...["'self'", site, 'https://files-1250000000.cos.ap-guangzhou.myqcloud.com'],
    ]);
  });
});

describe('the built console', () => {
  test('answers every file that its index names', async () => {
    const { body } = await ask('/console/');
    const paths = [...body.toString().matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    );

    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) {
      const { status, headers } = await ask(path, { 'accept-encoding': 'br' });
      expect([path, status, headers['content-encoding']]).toEqual([path, 200, 'br']);
      expect(headers['cache-control']).toContain('immutable');
    }
  });

  test('describes the admin routes of the enabled modules', async () => {
    const { status, body } = await ask('/console/description.json');

    expect(status).toBe(200);
    expect(JSON.parse(body.toString()).modules).toContainEqual(expect.objectContaining({ name: 'System' }));
  });

  test('has no inline script or style', async () => {
    const { body } = await ask('/console/');

    expect(body.toString()).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)|\son\w+=/);
  });
});
