import { beforeAll, describe, expect, test } from '@jest/globals';
import { clouds } from '../doubles/clouds.ts';
import { startOpenAi } from '../doubles/openai.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';

const base = '/adminapi/system/setting/config';
const [key, model] = ['sk-a-key-of-thirty-characters-0', 'a-model'];

const provider = useRunning(() => startOpenAi({ key, model }));
const { admin } = useServer({ environment: { THROTTLE_FACTOR: '4' } });

beforeAll(() => provider.script({ content: 'OK', usage: { prompt_tokens: 9, completion_tokens: 1 } }));

const headers = { 'x-language': 'en' };
const post = (path: string, group: string, values: object) =>
  admin.post(`${base}/${path}`, { group, values }, { headers });
const invalidAt = (setting: string) => ({
  ...{ status: 422, code: 'request.invalid', errors: [{ path: `body.values.${setting}` }] },
});
const succeeded = { status: 200, data: { ok: true, step: null, detail: null } };

describe.each(Object.entries(clouds))('a test of the engine %s', (name, start) => {
  const cloud = useRunning(start);

  test('writes, reads and deletes an object with settings that are not saved', async () => {
    let requests = 0;
    cloud.disturb('fails', () => {
      requests += 1;
      return false;
    });

    expect(await post('test', name, cloud.settings)).toMatchObject(succeeded);
    expect(requests).toBeGreaterThanOrEqual(3);
    expect(cloud.keys()).toEqual([]);
    const stored = await admin.get(`${base}/list?group=${name}`);
    expect(JSON.stringify(stored.data)).not.toContain(cloud.settings.bucket);
  });

  test('tries a bucket for private files, which must be another one', async () => {
    cloud.calm();
    const { settings, privateSettings } = cloud;

    expect(await post('test', name, { ...settings, ...privateSettings })).toMatchObject(succeeded);
    const same = { ...settings, ...privateSettings, private_bucket: settings.bucket };
    if (name !== 's3') expect(await post('test', name, same)).toMatchObject(invalidAt('private_bucket'));
    expect(cloud.keys()).toEqual([]);
  });

  test('names the step that failed and no secret', async () => {
    const secret_key = 'another-secret-of-thirty-chars';
    cloud.calm();

    const refused = await post('test', name, { ...cloud.settings, secret_key });
    cloud.disturb('fails', () => true);
    const failed = await post('test', name, cloud.settings);

    for (const { data } of [refused, failed]) {
      expect(data).toMatchObject({ ok: false, step: 'put', detail: expect.stringMatching(/\d{3}/) });
      expect(JSON.stringify(data)).not.toContain(secret_key);
    }
    cloud.calm();
    expect(cloud.keys()).toEqual([]);
  });

  test('is refused with the settings that are missing', async () => {
    const answer = await post('test', name, { ...cloud.settings, bucket: '' });
    expect(answer).toMatchObject(invalidAt('bucket'));
  });
});

test('a bucket for private files that everybody may read is named', async () => {
  const cloud = await clouds.qcloud();
  const open = { private_bucket: 'openbucket-1250000000', private_domain: cloud.settings.domain };

  const answer = await post('test', 'qcloud', { ...cloud.settings, ...open });

  const detail = expect.stringMatching(/^everybody can read private files at 127\.0\.0\.1:\d+$/);
  expect(answer.data).toEqual({ ok: false, step: 'private', detail });
  expect(cloud.keys()).toEqual([]);
  await cloud.stop();
});

describe('a test of the AI provider', () => {
  const settings = () => ({ base_url: provider.baseUrl, api_key: key, model });

  test('asks the model for one word and records the usage', async () => {
    expect(await post('test', 'ai', settings())).toMatchObject(succeeded);

    expect(provider.requests).toHaveLength(1);
    const call = { name: 'system.ai_usage_stats', arguments: { days: 1 } };
    const usage = await admin.post('/adminapi/system/ai/mcp/call', call);
    expect(usage.data.result.total).toEqual({ calls: 1, input_tokens: 9, output_tokens: 1 });
  });

  test('uses the stored key if the mask is sent', async () => {
    await post('save', 'ai', settings());

    expect(await post('test', 'ai', { api_key: '******' })).toMatchObject(succeeded);
    expect(await post('test', 'ai', {})).toMatchObject(succeeded);
  });

  test('never sends the stored key to another host', async () => {
    await post('save', 'ai', settings());
    const other = await startOpenAi({ key, model });

    const answer = await post('test', 'ai', { base_url: other.baseUrl });

    expect(answer).toMatchObject(invalidAt('api_key'));
    expect(other.requests).toEqual([]);
    await other.stop();
  });

  test('answers why it failed without the key', async () => {
    const wrong = `${key}-wrong`;

    const refused = await post('test', 'ai', { ...settings(), api_key: wrong });
    const away = await post('test', 'ai', { ...settings(), base_url: 'http://127.0.0.1:9' });

    const failed = { ok: false, step: 'ask' };
    const unreachable = '127.0.0.1 cannot be reached (ECONNREFUSED)';
    expect(refused.data).toEqual({ ...failed, detail: 'the provider answered 401 (invalid_api_key)' });
    expect(away.data).toEqual({ ...failed, detail: unreachable });
  });
});

test.each([
  ['a group without a test', 'basics', {}, 'body.group'],
  ['an unknown group', '__proto__', {}, 'body.group'],
  ['an unknown setting', 'ai', { other: 1 }, 'body.values.other'],
  ['a value that does not fit', 'ai', { max_steps: 99 }, 'body.values.max_steps'],
])('%s is refused', async (_, group, values, path) => {
  expect(await post('test', group, values)).toMatchObject({ status: 422, errors: [{ path }] });
});

test('tests of one administrator are throttled', async () => {
  const answers: number[] = [];
  while (answers.length < 50 && answers.at(-1) !== 429) {
    answers.push((await post('test', 'basics', {})).status);
  }

  expect(answers.at(-1)).toBe(429);
});
