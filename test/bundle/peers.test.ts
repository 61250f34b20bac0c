import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { startUpstashEndpoint, type UpstashEndpoint } from '#cli/local/upstash/start-upstash-endpoint.ts';
import { RedisClient } from '#shared/cache/redis.ts';
import { createTransport } from '#shared/cache/transport.ts';
import { type Bundle, bundlePeer, sharedPackages } from '../../bench/bundles.ts';
import { createInvocation } from '../../bench/event.ts';
import { inspect } from '../../bench/inspect-load.ts';
import { installPackages } from '../../bench/install.ts';
import { projectRoot } from '../support/local-server.ts';

// The compared services must do the same work: they answer and refuse.

const token = 'secret';
const nowSeconds = Math.floor(Date.now() / 1000);
const path = '/adminapi/system/config/dict';

const cached: { key: string; value: object; generations: string[] }[] = [
  {
    key: 'service:dict:type:colour',
    value: { isEnabled: true, isPublic: false, options: [['r', '红']] },
    generations: ['service:dict:generation:colour'],
  },
  ...['a1', 'a2'].flatMap((adminId) => [
    {
      key: `service:session:s-${adminId}`,
      value: { epoch: 1, lastSeenAt: nowSeconds },
      generations: [`service:session-generation:s-${adminId}`],
    },
    {
      key: `service:principal:admin:${adminId}`,
      value: { sessionEpoch: 1, principal: { status: 'enabled', super: adminId === 'a1' } },
      generations: [`service:principal-generation:admin:${adminId}`, 'service:role-generation'],
    },
  ]),
];

const environment: Record<string, string> = {
  APP_KEY: 'a key of at least thirty-two characters',
  TABLE_NAME: 'none',
  PUBLIC_URL: 'http://localhost',
  UPSTASH_REDIS_REST_TOKEN: token,
};

let folder: string;
let cache: UpstashEndpoint;
let superBearer: string;
let bearer: string;

beforeAll(async () => {
  installPackages();
  folder = mkdtempSync(join(tmpdir(), 'peers-'));
  cache = await startUpstashEndpoint({ token });
  environment.UPSTASH_REDIS_REST_URL = cache.url;
  Object.assign(process.env, environment);
  const redis = new RedisClient(createTransport({ url: cache.url, token }));
  for (const { key, value, generations } of cached) {
    await redis.set(key, JSON.stringify({ generation: generations.map(() => 'g').join(' '), value }));
    for (const generation of generations) await redis.set(generation, 'g');
  }
  const { signToken } = await import('#shared/auth/token.ts');
  const { deriveKeys } = await import('#shared/crypto/keys.ts');
  const sign = (adminId: string) =>
    signToken({
      sessionId: `s-${adminId}`,
      kind: 'admin',
      principalId: adminId,
      expiresAt: nowSeconds + 3600,
    });
  [superBearer, bearer] = [sign('a1'), sign('a2')];
  environment.BARE_TOKEN_KEY = deriveKeys('token')[0].secret.export().toString('base64');
}, 120_000);

afterAll(async () => {
  await cache.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("frameworks use the service's versions of shared packages", async () => {
  const { metafile } = await build({
    stdin: { contents: "import 'file-type';", resolveDir: join(projectRoot, 'bench', 'peers', 'jobs') },
    absWorkingDir: projectRoot,
    bundle: true,
    platform: 'node',
    write: false,
    metafile: true,
    plugins: [sharedPackages],
  });

  const folders = Object.keys(metafile.inputs).filter((input) => input.includes('/file-type/'));
  expect(folders.length).toBeGreaterThan(0);
  expect(folders.filter((input) => !input.startsWith('node_modules/file-type/'))).toEqual([]);
});

describe.each(['bare', 'hono', 'fastify', 'nest'])('%s', (peer) => {
  let bundle: Bundle;

  beforeAll(async () => {
    bundle = await bundlePeer(`${peer}/admin.ts`, join(folder, peer));
  });

  const ask = (type: string, given?: string) => {
    const invocationFile = join(folder, `${peer}.json`);
    writeFileSync(invocationFile, JSON.stringify(createInvocation(path, { type }, given)));
    return inspect(bundle, invocationFile, environment);
  };

  test('answers an administrator', async () => {
    const { statusCode, body } = await ask('colour', superBearer);

    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toEqual({
      code: 'ok',
      message: '成功',
      data: { colour: [{ name: '红', value: 'r' }] },
      request_id: expect.any(String),
    });
  });

  test.each<[string, number, string, () => string | undefined]>([
    ['no caller', 401, 'colour', () => undefined],
    ['a forged token', 401, 'colour', () => `${superBearer.slice(0, -4)}AAAA`],
    ['a caller without the right', 403, 'colour', () => bearer],
    ['invalid keys', 422, 'Colour;', () => superBearer],
  ])('refuses %s with %i', async (_what, status, type, given) => {
    expect(await ask(type, given())).toMatchObject({ statusCode: status });
  });
});
