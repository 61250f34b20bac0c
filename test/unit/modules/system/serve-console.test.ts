import '../../../support/environment.ts';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, jest, test } from '@jest/globals';
import { decodeHTMLAttribute } from 'entities/decode';
import { readPolicy } from '#modules/System/hosting/policy.ts';
import { serveConsole } from '#modules/System/hosting/serve-console.ts';
import type { Brand } from '#modules/System/site/brand.ts';
import type { BuiltSite } from '#shared/http/route.ts';
import { createEvent } from '../../../support/function-event.ts';

const policy = jest.fn(async () => ({ policy: "default-src 'none'", storage: { site: '', origins: {} } }));
const plain: Brand = { name: '', logo: '', icon: '', colour: '', stage: '' };
const brand = jest.fn(async () => plain);
const sso = jest.fn(async (): Promise<string | undefined> => undefined);

const script = 'export const a = 1;\n'.repeat(50);
const index =
  '<!doctype html><link rel="icon" href="/console/assets/icon.svg" type="image/svg+xml" /><title>Console</title>';
const built = (text: string) => async () => ({ default: brotliCompressSync(text).toString('base64') });
const site: BuiltSite = {
  'index.html': built(index),
  'assets/first-Ab12.js': built(script),
  'icon.svg': built('<svg/>'),
};
const description = { modules: [], pages: [], routes: {} };
const loaded = { default: description };

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET', files = site) =>
  serveConsole(
    { site: async () => ({ default: files }), description: async () => loaded },
    createEvent({ method, path, headers }),
    { policy, brand, sso },
  );

/** The brand is for the console's scripts. */
const withoutBrand = (html: string) => html.replace(/<meta name="(brand|storage)"[^>]*>/g, '');

const textOf = (body: Uint8Array | undefined) => Buffer.from(body ?? []).toString();

describe('serveConsole', () => {
  test.each(['/', '/console'])('redirects %s to the console', async (path) => {
    expect(await ask(path)).toMatchObject({
      status: 302,
      headers: { location: '/console/' },
      body: undefined,
    });
  });

  test.each([
    '/console/',
    '/console/index.html',
    '/console/login',
    '/console/system/setting/dict/type',
    '/console/../modules/modules.json',
    '/console/..%2f..%2fpackage.json',
    '/console/%2e%2e/site.mjs',
    '/console/__proto__',
    '/console/constructor',
    '/console/Assets/first-Ab12.js',
    '/console//assets/first-Ab12.js',
  ])('answers the index for %s', async (path) => {
    const { status, headers, body } = await ask(path);

    expect([status, withoutBrand(textOf(body))]).toEqual([200, index]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      vary: 'Accept-Encoding',
    });
  });

  test('leaves a client its handle on the consent page, which it opens as a pop-up', async () => {
    const { headers } = await ask('/console/oauth/consent');

    expect(headers['cross-origin-opener-policy']).toBe('unsafe-none');
  });

  test.each([
    '/console/assets/nope.js',
    '/console/assets/',
    '/console/assets/../index.html',
    '/console/assets/__proto__',
  ])('refuses %s, which is no file', async (path) => {
    await expect(ask(path)).rejects.toMatchObject({ code: 'route.not_found', status: 404 });
  });

  test('lets browsers keep a hashed file forever, and no other', async () => {
    const file = await ask('/console/assets/first-Ab12.js');
    expect(file.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect((await ask('/console/icon.svg')).headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'no-cache',
    });
  });

  test.each([
    ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
    ['br', 'br;q=0.5, gzip;q=1', brotliDecompressSync],
    ['gzip', 'GZIP', gunzipSync],
    ['gzip', 'gzip, br;q=0', gunzipSync],
    [undefined, 'br;q=0.0, gzip;q=0', (body: Buffer) => body],
    [undefined, '', (body: Buffer) => body],
    [undefined, 'abr, zstd', (body: Buffer) => body],
  ])('sends %s to a client that accepts "%s"', async (encoding, accepted, decode) => {
    for (const [path, text] of [
      ['/console/assets/first-Ab12.js', script],
      ['/console/description.json', JSON.stringify(description)],
    ]) {
      const { headers, body } = await ask(path ?? '', { 'accept-encoding': accepted });
      expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'Accept-Encoding']);
      expect(decode(Buffer.from(body ?? [])).toString()).toBe(text);
    }
  });

  test('answers HEAD with the size and no body', async () => {
    const { status, headers, body } = await ask('/console/assets/first-Ab12.js', {}, 'HEAD');

    expect({ status, body }).toEqual({ status: 200, body: undefined });
    expect(headers['content-length']).toBe(String(script.length));
  });

  test.each(['/console/', '/console/description.json', '/console/icon.svg'])(
    'answers 304 for an unchanged %s',
    async (path) => {
      const { etag = '' } = (await ask(path)).headers;

      const again = await ask(path, { 'if-none-match': `"other", ${etag}` });

      expect(again).toMatchObject({ status: 304, body: undefined, headers: { etag } });
      expect((await ask(path, { 'if-none-match': '"other"' })).status).toBe(200);
    },
  );

  test('sends the index again if the policy has changed', async () => {
    const { etag = '' } = (await ask('/console/')).headers;
    policy.mockResolvedValueOnce({ policy: "default-src 'self'", storage: { site: '', origins: {} } });

    const { status, headers } = await ask('/console/', { 'if-none-match': etag });

    expect([status, headers['content-security-policy']]).toEqual([200, "default-src 'self'"]);
  });

  test('puts the brand into the index: title, icon, and all of it for the scripts', async () => {
    const given = {
      ...plain,
      name: 'Corner <shop> "A" $&',
      icon: 'https://a.test/i.png?a=1&b=2',
      stage: 'dev',
    };
    brand.mockResolvedValueOnce(given);

    const html = textOf((await ask('/console/')).body);

    expect(html).toContain('<title>Corner &lt;shop&gt; &quot;A&quot; $&amp;</title>');
    expect(html).toContain('<link rel="icon" href="https://a.test/i.png?a=1&amp;b=2" />');
    const [, content = ''] = /<meta name="brand" content="([^"]*)"/.exec(html) ?? [];
    expect(JSON.parse(decodeHTMLAttribute(content))).toEqual(given);
  });

  test('says whether single sign-on is set up, and the text of its button', async () => {
    expect(textOf((await ask('/console/')).body)).not.toContain('name="sso"');
    for (const [text, written] of [
      ['', ''],
      ['"Log in" & more', '&quot;Log in&quot; &amp; more'],
    ] as const) {
      sso.mockResolvedValueOnce(text);
      expect(textOf((await ask('/console/')).body)).toContain(`<meta name="sso" content="${written}" />`);
    }
    expect(textOf((await ask('/console/')).body)).not.toContain('name="sso"');
  });

  test('sends the index again if the brand has changed', async () => {
    const { etag = '' } = (await ask('/console/')).headers;
    brand.mockResolvedValueOnce({ ...plain, colour: '#123456' });

    const changed = await ask('/console/', { 'if-none-match': etag });

    expect(changed.status).toBe(200);
    expect((await ask('/console/', { 'if-none-match': etag })).status).toBe(304);
  });

  test.each(['/console/', '/console/assets/first-Ab12.js'])(
    'says that the console is being built, and reloads: %s',
    async (path) => {
      const files = { site: async () => ({ default: undefined }), description: async () => loaded };

      const { status, headers, body } = await serveConsole(files, createEvent({ method: 'GET', path }));

      expect(status).toBe(503);
      expect(headers).toMatchObject({ refresh: '2', 'retry-after': '2' });
      expect(textOf(body)).toContain('The console is being built.');
      expect(textOf(body)).not.toMatch(/<script|style=/);
    },
  );
});

test('the policy is made at most once a minute', async () => {
  jest.useFakeTimers();
  const create = jest.fn(async () => ({
    policy: `policy ${create.mock.calls.length}`,
    storage: { site: '', origins: {} },
  }));

  const first = [readPolicy(create), readPolicy(create)];
  jest.advanceTimersByTime(59_999);
  const kept = readPolicy(create);
  jest.advanceTimersByTime(1);
  const again = readPolicy(create);

  const all = await Promise.all([...first, kept, again]);
  expect(all.map((each) => each.policy)).toEqual(['policy 1', 'policy 1', 'policy 1', 'policy 2']);
  jest.useRealTimers();
});
