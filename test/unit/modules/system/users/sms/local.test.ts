import '../../../../../support/environment.ts';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createSmsDriver } from '#modules/System/users/sms/create-sms-driver.ts';
import { createLocalDriver } from '#modules/System/users/sms/local.ts';
import type { SmsMessage } from '#modules/System/users/sms/sms-driver.ts';
import { describeError, failureOf } from '../wechat/wechat-fixture.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sms-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const message: SmsMessage = { mobile: '13800138000', code: '482913', scene: 'bind_mobile' };
const linesOf = async (dataDir: string) => {
  const text = await readFile(join(dataDir, 'sms.jsonl'), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
};

describe('the local driver', () => {
  test('appends a line for each message', async () => {
    const driver = createLocalDriver({ dataDir: root, isDeployed: false });

    await driver.send(message);
    await driver.send({ ...message, scene: 'login', code: '000001' });

    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(await linesOf(root)).toEqual([
      { mobile: '13800138000', scene: 'bind_mobile', code: '482913', at },
      { mobile: '13800138000', scene: 'login', code: '000001', at },
    ]);
  });

  test('lets only its owner read the file', async () => {
    await createLocalDriver({ dataDir: root, isDeployed: false }).send(message);

    expect((await stat(join(root, 'sms.jsonl'))).mode & 0o777).toBe(0o600);
  });

  test('makes the data folder where there is none yet', async () => {
    const dataDir = join(root, 'new', 'data');

    await createLocalDriver({ dataDir, isDeployed: false }).send(message);

    expect(await linesOf(dataDir)).toHaveLength(1);
  });

  test('keeps each of many lines whole', async () => {
    const drivers = [1, 2].map(() => createLocalDriver({ dataDir: root, isDeployed: false }));
    const codes = Array.from({ length: 200 }, (_, index) => String(index).padStart(6, '0'));

    await Promise.all(codes.map((code, index) => drivers[index % 2]?.send({ ...message, code })));

    expect((await linesOf(root)).map(({ code }) => code).sort()).toEqual(codes);
  });

  test('refuses to send when deployed, and writes nothing', async () => {
    const error = await failureOf(createLocalDriver({ dataDir: root, isDeployed: true }).send(message));

    expect(error).toMatchObject({ code: 'sms.failed', status: 502 });
    expect(describeError(error)).not.toContain(message.code);
    await expect(stat(join(root, 'sms.jsonl'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('fails without a data folder', async () => {
    const driver = createLocalDriver({ dataDir: undefined, isDeployed: false });

    expect(await failureOf(driver.send(message))).toMatchObject({
      code: 'sms.failed',
      cause: { message: 'DATA_DIR is not set' },
    });
  });

  test('fails where the file cannot be written', async () => {
    const file = join(root, 'file');
    await writeFile(file, '');

    const error = await failureOf(createLocalDriver({ dataDir: file, isDeployed: false }).send(message));

    expect(error).toMatchObject({ code: 'sms.failed' });
    expect(describeError(error)).not.toContain(message.code);
  });
});

describe('createSmsDriver', () => {
  test('answers the local driver, on the data folder of the environment', async () => {
    process.env.DATA_DIR = root;

    await (await createSmsDriver({ driver: 'local' })).send(message);

    expect(await linesOf(root)).toHaveLength(1);
  });

  test.each(['', 'Local', 'twilio', '__proto__'])('fails where "%s" names no driver', async (driver) => {
    expect(await failureOf(createSmsDriver({ driver }))).toMatchObject({
      code: 'sms.failed',
      cause: { message: 'the setting sms.driver names no driver' },
    });
  });
});
