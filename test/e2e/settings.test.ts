import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { copyProject } from '../support/project-copy.ts';
import { shellEnvironment } from '../support/run-service.ts';
import { useServer } from '../support/use-server.ts';

const base = '/adminapi/system/setting/config';
const run = promisify(execFile);

// A module with a secret, the host that gets it, and a number with a rule.
const manifest = `
  import * as z from 'zod/mini';
  import { defineModule } from '#shared/module/module.ts';
  import { defineConfigGroup, setting } from '#shared/settings/group.ts';
  const description = { zh_CN: '说明', en: 'Description' };
  export default defineModule({
    name: 'Vault',
    title: { zh_CN: '试', en: 'Trial' },
    version: '1.0.0',
    configs: [
      defineConfigGroup({
        name: 'vault',
        keys: {
          secret_key: setting({ schema: z.string().check(z.maxLength(100)), default: '', secret: true, description }),
          host: setting({ schema: z.string(), default: '', endpoint: true, description }),
          count: setting({ schema: z.int().check(z.gte(1)), default: 3, description }),
        },
      }),
    ],
  });`;

const copy = copyProject();
const { root } = copy;
copy.enable('System', 'Vault');
copy.write('modules/Vault/module.ts', manifest);
const { server, admin } = useServer({ root, environment: { ALLOW_PRIVATE_ENDPOINTS: '0' } });

const save = (values: unknown, group = 'vault') => admin.post(`${base}/save`, { group, values });

async function read(): Promise<Record<string, unknown>> {
  const { data } = await admin.get(`${base}/list?group=vault`);
  return Object.fromEntries(data.list.map((each: { key: string; value: unknown }) => [each.key, each.value]));
}

describe('settings', () => {
  test('are listed with default, description and whether they are secret', async () => {
    const answer = await admin.get(`${base}/list?group=vault&page_size=2`, {
      headers: { 'x-language': 'en' },
    });
    const all = await admin.get(`${base}/list?page_size=200`);

    expect(answer.data).toMatchObject({
      list: [
        {
          group: 'vault',
          key: 'secret_key',
          value: '',
          default: '',
          secret: true,
          description: 'Description',
        },
        { group: 'vault', key: 'host', secret: false },
      ],
      total: 3,
    });
    expect(all.text).toContain('"key":"sys_status"');
  });

  test('refuse undeclared keys, and save nothing', async () => {
    const group = await save({ a: 1 }, 'nothing');
    const key = await save({ count: 7, constructor: 1, size: 2 });

    expect(group).toMatchObject({
      status: 422,
      code: 'config.unknown_key',
      errors: [{ path: 'body.group' }],
    });
    expect(key).toMatchObject({
      status: 422,
      code: 'config.unknown_key',
      errors: [{ path: 'body.values.constructor' }, { path: 'body.values.size' }],
    });
    expect(await read()).toMatchObject({ count: 3 });
  });

  test('refuse a value that does not fit, and save nothing', async () => {
    const answer = await save({ host: 'example.com', count: 0 });

    expect(answer).toMatchObject({
      status: 422,
      code: 'request.invalid',
      errors: [{ path: 'body.values.count' }],
    });
    expect(await read()).toMatchObject({ host: '', count: 3 });
  });

  test('refuse a text that is too long for the table even if its schema allows it', async () => {
    const answer = await save({ host: `https://8.8.8.8/${'x'.repeat(420_000)}` });

    expect(answer).toMatchObject({
      status: 422,
      code: 'request.invalid',
      errors: [{ path: 'body.values.host' }],
    });
    expect(await read()).toMatchObject({ host: '' });
  });

  test('answer secrets masked, and keep one whose mask is posted', async () => {
    await save({ secret_key: 'top secret words', count: 4 });

    const kept = await save({ secret_key: '******', count: 5 });

    expect(kept.status).toBe(200);
    expect(await read()).toEqual({ secret_key: '******', host: '', count: 5 });
    const shown = await runService('config:get', 'vault.secret_key', '--reveal');
    expect(shown.trim()).toBe('top secret words');
    expect(await runService('config:get', 'vault')).toContain('vault.secret_key = "******"');
    await save({ secret_key: '' });
    expect(await read()).toMatchObject({ secret_key: '' });
  });

  test('are changed by a command too, by the same rules', async () => {
    const saved = await runService('config:set', 'vault.count=9');

    expect(saved).toContain('Saved: vault.count');
    expect(await read()).toMatchObject({ count: 9 });
    await expect(runService('config:set', 'vault.count=0')).rejects.toThrow('vault.count');
  });

  test('take a new host only with the secrets in the same save', async () => {
    await save({ secret_key: 'first', host: '' });

    const masked = await save({ host: '8.8.4.4', secret_key: '******' });
    const without = await save({ host: '8.8.4.4' });
    const denied = [];
    for (const host of [
      '127.0.0.1',
      'localhost',
      '10.1.2.3',
      '169.254.169.254',
      '[::1]:80',
      'http://192.168.0.1/',
    ]) {
      denied.push(await save({ host, secret_key: 'second' }));
    }
    const accepted = await save({ host: '8.8.8.8', secret_key: 'second' });

    for (const answer of [masked, without]) {
      expect(answer).toMatchObject({ status: 422, errors: [{ path: 'body.values.secret_key' }] });
    }
    for (const answer of denied)
      expect(answer).toMatchObject({ status: 422, code: 'config.endpoint_denied' });
    expect(accepted.status).toBe(200);
  });
});

describe('a save of invalid settings', () => {
  const keys = { access_key: 'AKIDexample', secret_key: 'a-secret', domain: 'https://8.8.8.8' };

  test.each(['ftp', 'LOCAL', '__proto__'])('refuses the storage engine %s', async (engine) => {
    const answer = await save({ default: engine }, 'storage');

    expect(answer).toMatchObject({
      status: 422,
      code: 'request.invalid',
      errors: [{ path: 'body.values.default' }],
    });
  });

  test('refuses an engine until its settings are there, and names those that are missing', async () => {
    const bare = await save({ default: 'qcloud' }, 'storage');
    await save({ bucket: 'files-1250000000', ...keys }, 'qcloud');
    const without = await save({ default: 'qcloud' }, 'storage');
    await save({ region: 'ap-guangzhou' }, 'qcloud');
    const complete = await save({ default: 'qcloud' }, 'storage');
    await save({ default: '' }, 'storage');

    const paths = ['bucket', 'access_key', 'secret_key', 'domain', 'region'].map((name) => `qcloud.${name}`);
    expect(bare).toMatchObject({ status: 422, errors: paths.map((path) => ({ path })) });
    expect(without).toMatchObject({ status: 422, errors: [{ path: 'qcloud.region' }] });
    expect(complete.status).toBe(200);
  });

  test('refuses an SMS driver without its settings, stored or posted', async () => {
    const bare = await save({ driver: 'aliyun', sign_name: 'a' }, 'sms');
    await save({ access_key: 'key' }, 'sms');
    const complete = await save({ driver: 'aliyun', secret_key: 'secret', sign_name: '签名' }, 'sms');
    const emptied = await save({ secret_key: '' }, 'sms');
    const other = await save({ driver: 'qcloud', secret_key: '******' }, 'sms');
    await save({ driver: '' }, 'sms');

    const named = (name: string) => ({ path: `body.values.${name}` });
    expect(bare).toMatchObject({ status: 422, errors: [named('access_key'), named('secret_key')] });
    expect(complete.status).toBe(200);
    expect(emptied).toMatchObject({ status: 422, errors: [named('secret_key')] });
    expect(other).toMatchObject({ status: 422, errors: [named('sdk_app_id')] });
  });

  test.each([
    ['sms', 'region'],
    ['sms', 'access_key'],
    ['sms', 'secret_key'],
    ['sms', 'sign_name'],
    ['sms', 'template_login'],
    ['sms', 'sdk_app_id'],
    ['sms', 'endpoint'],
    ...['aliyun', 'qcloud', 'qiniu'].flatMap((group) =>
      ['bucket', 'access_key', 'secret_key', 'domain', 'region'].map((key) => [group, key]),
    ),
    ['aliyun', 'endpoint'],
    ['qcloud', 'endpoint'],
    ['qiniu', 'up_host'],
    ['storage', 'default'],
    ['wechat', 'base_url'],
    ['wechat', 'mini_app_id'],
    ['wechat', 'mini_secret'],
    ['wechat', 'official_app_id'],
    ['wechat', 'official_secret'],
    ['ai', 'base_url'],
    ['ai', 'api_key'],
    ['ai', 'model'],
    ['vault', 'host'],
  ])('refuses control characters in %s.%s', async (group = '', key = '') => {
    const prefix = /url|endpoint|domain|host$/.test(key) ? 'http://8.8.8.8' : 'ap';
    const answers = [];
    for (const sign of ['\r\n', '\n', '\t', '\0', '\u0085']) {
      answers.push(await save({ [key]: `${prefix}${sign}/x` }, group));
    }

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 422, code: 'request.invalid' });
      expect(answer.errors).toMatchObject([{ path: `body.values.${key}` }]);
    }
  });

  test('is accepted for values of real accounts', async () => {
    const saved = [
      await save(
        { region: 'ap-guangzhou', access_key: 'LTAI5t+/=', template_login: 'SMS_1', sign_name: '阿里云' },
        'sms',
      ),
      await save({ model: 'vendor/model 3.5:free' }, 'ai'),
      await save({ mini_app_id: 'wx0123456789abcdef', mini_secret: '0123456789abcdef' }, 'wechat'),
    ];

    expect(saved.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('is refused by the command too, which names it', async () => {
    await expect(runService('config:set', 'storage.default=ftp')).rejects.toThrow('storage.default: ');
    await expect(runService('config:set', 'storage.default=aliyun')).rejects.toThrow('aliyun.bucket: ');
    await expect(runService('config:set', 'sms.region=a\nb')).rejects.toThrow('sms.region: ');
    await expect(runService('config:set', 'sms.driver=qcloud')).rejects.toThrow('sms.sdk_app_id: ');
  });
});

async function runService(...args: string[]): Promise<string> {
  const cli = `${root}/cli/service.ts`;
  const env = { ...shellEnvironment(), DATA_DIR: server.dataDir };
  const { stdout } = await run('node', [cli, ...args], { env, cwd: root });
  return stdout;
}
