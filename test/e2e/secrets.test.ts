import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { administrator } from '../support/administrator.ts';
import type { RequestOptions } from '../support/client.ts';
import { authorizeParameters, codeOf, createPkce } from '../support/oauth.ts';
import { scanItems } from '../support/table.ts';
import { useServer } from '../support/use-server.ts';

const mobile = '13912345678';
const passwords = { user: 'the password of a user', next: 'another password of hers' };
const settings = { mini_secret: 'secret-of-the-mini-program', official_secret: 'secret-of-the-account' };

/** Every answer except those that give a token to its owner. */
const answers: string[] = [];

const { server, client } = useServer({ login: false, environment: { LOG_LEVEL: 'debug' } });

async function ask(path: string, options: RequestOptions = {}) {
  const { json, text } = await client.ask(path, options);
  const { data } = json;
  const given = [data?.token, data?.captcha_token, data?.redirect].map(String);
  answers.push(given.reduce((rest, each) => rest.replace(each, ''), text));
  return data;
}

/** Every secret of a connection by OAuth, each used well and badly, and used again. */
async function liveThroughOAuth(adminToken: string): Promise<string[]> {
  const redirect_uri = 'http://127.0.0.1/callback';
  const added = await ask('/adminapi/system/oauth/client/add', {
    body: { name: 'Desk client', redirect_uris: [redirect_uri] },
    token: adminToken,
  });
  const client_id = added.id;
  const { verifier, challenge } = createPkce();
  const resource = `${server.url.replace('127.0.0.1', 'localhost')}/mcp/service`;
  const state = 'the state of a client';
  const parameters = { ...authorizeParameters(client_id, redirect_uri, challenge), resource, state };
  const query = new URLSearchParams(parameters).toString();
  await ask(`/adminapi/system/oauth/request?${query}`, { token: adminToken });
  const approved = await ask('/adminapi/system/oauth/approve', {
    body: { ...parameters, approved: true },
    token: adminToken,
  });
  const code = codeOf(approved.redirect);
  const exchange = {
    ...{ grant_type: 'authorization_code', client_id, redirect_uri },
    ...{ code, code_verifier: verifier },
  };
  await sendForm('/oauth/token', { ...exchange, code_verifier: `${verifier}!` });
  const first = await sendForm('/oauth/token', exchange);
  const refresh = { grant_type: 'refresh_token', client_id, refresh_token: first.refresh_token };
  const second = await sendForm('/oauth/token', refresh);
  const mcp = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  await ask('/mcp/service', { body: mcp, token: second.access_token });
  await ask('/adminapi/system/admin/token/list', { token: adminToken });
  await sendForm('/oauth/revoke', { token: second.access_token, client_id: 'another' });
  await sendForm('/oauth/token', refresh);
  await sendForm('/oauth/revoke', { token: second.refresh_token, client_id });
  await ask('/adminapi/system/audit/list', { token: adminToken });
  const tokens = [first, second].flatMap((each) => [each.access_token, each.refresh_token]);
  expect(tokens.filter((each) => /^mcpr?_/.test(each))).toHaveLength(4);
  return [code, verifier, state, ...tokens];
}

/** Answers the tokens of a success. */
async function sendForm(path: string, form: Record<string, string>) {
  const { json, text } = await client.ask(path, { form });
  const { access_token = '', refresh_token = '' }: Record<string, string> = json;
  answers.push(text.replace(access_token, '').replace(refresh_token, ''));
  return { access_token, refresh_token };
}

function readCode(): string {
  const lines = readFileSync(join(server.dataDir, 'sms.jsonl'), 'utf8').trim().split('\n');
  return JSON.parse(lines.at(-1) ?? '').code;
}

/** Sends every kind of secret through the service, in valid and invalid requests. */
async function liveThrough(): Promise<string[]> {
  const login = '/adminapi/system/login/account';
  const adminToken = (await ask(login, { body: administrator })).token;
  await ask(login, { body: { ...administrator, password: `${administrator.password}!` } });
  await ask(login, { body: { ...administrator, extra: administrator.password } });
  const saved = { group: 'wechat', values: settings };
  await ask('/adminapi/system/setting/config/save', { body: saved, token: adminToken });
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
  const registered = { terminal: 3, mobile, code, password: passwords.user };
  const userToken = (await ask('/api/system/login/register', { body: registered })).token;
  await ask('/api/user-center/password/change', {
    body: { old_password: passwords.user, password: passwords.next },
    token: userToken,
  });
  await ask('/api/system/login/account', {
    body: { terminal: 3, scene: 'password', mobile, password: passwords.next },
  });
  await ask('/api/system/user/info', { token: userToken });
  await ask('/adminapi/user-center/user/list', { token: adminToken });
  return [code, adminToken, userToken, ...(await liveThroughOAuth(adminToken))];
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
  const items = await scanItems(server);
  expect(items.length).toBeGreaterThan(20);
  const places = { table: JSON.stringify(items), log: server.printed(), answers: answers.join('\n') };

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
