import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { administrator, type LocalServer, startLocalServer } from '../support/local-server.ts';

const mobile = '13912345678';
const passwords = { user: 'the password of a user', next: 'another password of hers' };
const settings = { mini_secret: 'secret-of-the-mini-program', official_secret: 'secret-of-the-account' };

let server: LocalServer;
/** Every answer except those that give a token to its owner. */
const answers: string[] = [];

beforeAll(async () => {
  server = await startLocalServer({ environment: { LOG_LEVEL: 'debug' } });
});

afterAll(() => server?.stop());

async function ask(path: string, options: { body?: unknown; token?: string } = {}): Promise<unknown> {
  const { body, token } = options;
  const response = await fetch(server.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  const { data } = JSON.parse(text);
  answers.push(text.replace(String(data?.token), '').replace(String(data?.captcha_token), ''));
  return data;
}

const tokenOf = (data: unknown): string => String(Object(data).token);

function readCode(): string {
  const lines = readFileSync(join(server.dataDir, 'sms.jsonl'), 'utf8').trim().split('\n');
  return JSON.parse(lines.at(-1) ?? '').code;
}

/** Sends every kind of secret through the service, in valid and invalid requests. */
async function liveThrough(): Promise<string[]> {
  const login = '/adminapi/system/login/account';
  const adminToken = tokenOf(await ask(login, { body: administrator }));
  await ask(login, { body: { ...administrator, password: `${administrator.password}!` } });
  await ask(login, { body: { ...administrator, extra: administrator.password } });
  await ask('/adminapi/system/setting/config/save', {
    body: { group: 'wechat', values: settings },
    token: adminToken,
  });
  await ask('/adminapi/system/setting/config/save', {
    body: { group: 'wechat', values: { mini_secret: 7, wrong: settings.mini_secret } },
    token: adminToken,
  });
  await ask('/adminapi/system/setting/config/list?page_size=200', { token: adminToken });
  await ask('/api/system/login/sendCode', { body: { mobile, scene: 'register' } });
  const code = readCode();
  await ask('/api/system/login/register', {
    body: { terminal: 3, mobile, code: '000000', password: passwords.user },
  });
  const userToken = tokenOf(
    await ask('/api/system/login/register', {
      body: { terminal: 3, mobile, code, password: passwords.user },
    }),
  );
  await ask('/api/user-center/password/change', {
    body: { old_password: passwords.user, password: passwords.next },
    token: userToken,
  });
  await ask('/api/system/login/account', {
    body: { terminal: 3, scene: 'password', mobile, password: passwords.next },
  });
  await ask('/api/system/user/info', { token: userToken });
  await ask('/adminapi/user-center/user/list', { token: adminToken });
  return [code, adminToken, userToken];
}

async function scanTable(): Promise<string> {
  const { environment } = JSON.parse(readFileSync(join(server.dataDir, 'stack.json'), 'utf8'));
  const client = new DynamoDBClient({
    endpoint: environment.DYNAMODB_ENDPOINT,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { Items = [] } = await client.send(new ScanCommand({ TableName: environment.TABLE_NAME }));
  client.destroy();
  expect(Items.length).toBeGreaterThan(20);
  return JSON.stringify(Items);
}

test('no secret, password, code or token is in the table, the log or answers in plain text', async () => {
  const issued = await liveThrough();
  const { appKey, redisToken } = JSON.parse(readFileSync(join(server.dataDir, 'secrets.json'), 'utf8'));
  const secrets = [
    administrator.password,
    ...Object.values(passwords),
    ...Object.values(settings),
    ...issued,
    appKey,
    redisToken,
  ];
  const places = { table: await scanTable(), log: server.printed(), answers: answers.join('\n') };

  const found = Object.entries(places).flatMap(([place, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${place}`),
  );

  expect(found).toEqual([]);
  // The table was really read: the mobile is part of a key.
  expect(places.table).toContain(mobile);
  expect(places.log).not.toContain(mobile);
  expect(places.answers).not.toContain(mobile);
  expect(places.answers).toContain('139****5678');
});
