import { describe, expect, test } from '@jest/globals';
import { outcome, paths } from '../support/answers.ts';
import { copyProject } from '../support/project-copy.ts';
import { runService } from '../support/run-service.ts';
import { useServer } from '../support/use-server.ts';

const base = '/adminapi/system/setting/config';

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

/** The refusal of values. */
const invalidAt = (...keys: string[]) => {
  const errors = keys.map((key) => ({ path: `body.values.${key}` }));
  return { status: 422, code: 'request.invalid', errors };
};

async function read(): Promise<Record<string, unknown>> {
  const { data } = await admin.get(`${base}/list?group=vault`);
  return Object.fromEntries(data.list.map((each: { key: string; value: unknown }) => [each.key, each.value]));
}

describe('settings', () => {
  test('are listed with default, description and whether they are secret', async () => {
    const answer = await admin.in('en').get(`${base}/list?group=vault&page_size=2`);
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

    expect([group, key].map(outcome)).toEqual(Array(2).fill('422 config.unknown_key'));
    expect(paths(group)).toEqual(['body.group']);
    expect(paths(key)).toEqual(['body.values.constructor', 'body.values.size']);
    expect(await read()).toMatchObject({ count: 3 });
  });

  test('refuse a value that does not fit, and save nothing', async () => {
    expect(await save({ host: 'example.com', count: 0 })).toMatchObject(invalidAt('count'));
    expect(await read()).toMatchObject({ host: '', count: 3 });
  });

  test('refuse a text that is too long for the table even if its schema allows it', async () => {
    expect(await save({ host: `https://8.8.8.8/${'x'.repeat(420_000)}` })).toMatchObject(invalidAt('host'));
    expect(await read()).toMatchObject({ host: '' });
  });

  test('answer secrets masked, and keep one whose mask is posted', async () => {
    await save({ secret_key: 'top secret words', count: 4 });

    expect((await save({ secret_key: '******', count: 5 })).status).toBe(200);
    expect(await read()).toEqual({ secret_key: '******', host: '', count: 5 });
    const shown = await runHere('config:get', 'vault.secret_key', '--reveal');
    expect(shown).toBe('top secret words');
    expect(await runHere('config:get', 'vault')).toContain('vault.secret_key = "******"');
    await save({ secret_key: '' });
    expect(await read()).toMatchObject({ secret_key: '' });
  });

  test('are changed by a command too, by the same rules', async () => {
    expect(await runHere('config:set', 'vault.count=9')).toContain('Saved: vault.count');
    expect(await read()).toMatchObject({ count: 9 });
    await expect(runHere('config:set', 'vault.count=0')).rejects.toThrow('vault.count');
  });

  test('take a new host only with the secrets in the same save', async () => {
    await save({ secret_key: 'first', host: '' });

    const masked = await save({ host: '8.8.4.4', secret_key: '******' });
    const without = await save({ host: '8.8.4.4' });
    const hosts = '127.0.0.1 localhost 10.1.2.3 169.254.169.254 [::1]:80 http://192.168.0.1/'.split(' ');
    const denied = [];
    for (const host of hosts) denied.push(await save({ host, secret_key: 'second' }));
    const accepted = await save({ host: '8.8.8.8', secret_key: 'second' });

    for (const answer of [masked, without]) expect(answer).toMatchObject(invalidAt('secret_key'));
    for (const answer of denied)
      expect(answer).toMatchObject({ status: 422, code: 'config.endpoint_denied' });
    expect(accepted.status).toBe(200);
  });
});

describe('a save of invalid settings', () => {
  const keys = { access_key: 'AKIDexample', secret_key: 'a-secret', domain: 'https://8.8.8.8' };

  test.each(['ftp', 'LOCAL', '__proto__'])('refuses the storage engine %s', async (engine) => {
    expect(await save({ default: engine }, 'storage')).toMatchObject(invalidAt('default'));
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

    expect(bare).toMatchObject(invalidAt('access_key', 'secret_key'));
    expect(complete.status).toBe(200);
    expect(emptied).toMatchObject(invalidAt('secret_key'));
    expect(other).toMatchObject(invalidAt('sdk_app_id'));
  });

  const account = ['bucket', 'access_key', 'secret_key', 'domain', 'region'];
  const texts = {
    sms: ['region', 'access_key', 'secret_key', 'sign_name', 'template_login', 'sdk_app_id', 'endpoint'],
    aliyun: [...account, 'endpoint'],
    qcloud: [...account, 'endpoint'],
    qiniu: [...account, 'up_host'],
    storage: ['default'],
    wechat: ['base_url', 'mini_app_id', 'mini_secret', 'official_app_id', 'official_secret'],
    ai: ['base_url', 'api_key', 'model'],
    vault: ['host'],
  };
  test.each(Object.entries(texts).flatMap(([group, keys]) => keys.map((key) => [group, key] as const)))(
    'refuses control characters in %s.%s',
    async (group, key) => {
      const prefix = /url|endpoint|domain|host$/.test(key) ? 'http://8.8.8.8' : 'ap';
      const answers = [];
      for (const sign of ['\r\n', '\n', '\t', '\0', '\u0085']) {
        answers.push(await save({ [key]: `${prefix}${sign}/x` }, group));
      }

      for (const answer of answers) expect(answer).toMatchObject(invalidAt(key));
    },
  );

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
    await expect(runHere('config:set', 'storage.default=ftp')).rejects.toThrow('storage.default: ');
    await expect(runHere('config:set', 'storage.default=aliyun')).rejects.toThrow('aliyun.bucket: ');
    await expect(runHere('config:set', 'sms.region=a\nb')).rejects.toThrow('sms.region: ');
    await expect(runHere('config:set', 'sms.driver=qcloud')).rejects.toThrow('sms.sdk_app_id: ');
  });
});

/** @throws what the command complains of */
async function runHere(...args: string[]): Promise<string> {
  const { code, printed, complaint } = await runService(root, { DATA_DIR: server.dataDir }, ...args);
  if (code !== 0) throw new Error(complaint);
  return printed;
}
