import '../../../../../support/environment.ts';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sendSms } from '#modules/System/users/send-code.ts';
import type { SmsMessage } from '#modules/System/users/sms/driver.ts';
import { environment } from '#shared/config/environment.ts';
import { describeError, failureOf } from '../wechat/wechat-fixture.ts';
import { smsSettings } from './sms-fixture.ts';

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

/** Sends by the local driver. */
function send(message: SmsMessage, dataDir = root, isDeployed = false): Promise<void> {
  Object.assign(environment(), { dataDir, isDeployed });
  return sendSms(message, smsSettings('local', ''));
}

describe('the local driver', () => {
  afterEach(() => {
    environment().isDeployed = false;
  });

  test('appends a line for each message', async () => {
    await send(message);
    await send({ ...message, scene: 'login', code: '000001' });

    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(await linesOf(root)).toEqual([
      { mobile: '13800138000', scene: 'bind_mobile', code: '482913', at },
      { mobile: '13800138000', scene: 'login', code: '000001', at },
    ]);
  });

  test('lets only its owner read the file', async () => {
    await send(message);

    expect((await stat(join(root, 'sms.jsonl'))).mode & 0o777).toBe(0o600);
  });

  test('creates a missing data folder', async () => {
    const dataDir = join(root, 'new', 'data');

    await send(message, dataDir);

    expect(await linesOf(dataDir)).toHaveLength(1);
  });

  test('keeps the lines of parallel messages whole', async () => {
    const codes = Array.from({ length: 200 }, (_, index) => String(index).padStart(6, '0'));

    await Promise.all(codes.map((code) => send({ ...message, code })));

    expect((await linesOf(root)).map(({ code }) => code).sort()).toEqual(codes);
  });

  test('refuses to send when deployed, and writes nothing', async () => {
    const error = await failureOf(send(message, root, true));

    expect(error).toMatchObject({ code: 'sms.failed', cause: { name: 'SmsError' } });
    expect(describeError(error)).not.toContain(message.code);
    await expect(stat(join(root, 'sms.jsonl'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('fails without a data folder', async () => {
    const error = await failureOf(send(message, ''));

    expect(error).toMatchObject({ cause: { name: 'SmsError', message: 'DATA_DIR is not set' } });
  });
});

describe('sendSms', () => {
  test('writes into the data folder of the environment with the local driver', async () => {
    environment().dataDir = root;

    await sendSms(message, smsSettings('local', ''));

    expect(await linesOf(root)).toHaveLength(1);
  });

  test('fails with sms.failed if the file cannot be written', async () => {
    const file = join(root, 'file');
    await writeFile(file, '');
    environment().dataDir = file;

    const error = await failureOf(sendSms(message, smsSettings('local', '')));

    expect(error).toMatchObject({ code: 'sms.failed', status: 502 });
    expect(describeError(error)).not.toContain(message.code);
  });

  test('fails without a driver', async () => {
    expect(await failureOf(sendSms(message, smsSettings('', '')))).toMatchObject({
      code: 'sms.failed',
      cause: { message: 'the setting sms.driver names no driver' },
    });
  });
});
