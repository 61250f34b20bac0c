import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import * as z from 'zod/mini';
import { editAdmin, setAdminRoles } from '#modules/System/admins/admins.ts';
import { adminData } from '#modules/System/admins/schema.ts';
import { startOpenAi } from '../doubles/openai.ts';
import { authorizeParameters, codeOf, createPkce } from '../support/oauth.ts';
import { useFunctions } from '../support/use-functions.ts';
import { useRunning } from '../support/use-running.ts';

// Every use of a credential, after every event that ends it.

type Json = Record<string, unknown>;
const system = '/adminapi/system';
const password = 'correct horse battery';
const model = { key: 'sk-0123456789abcdef', model: 'test-model' };
const redirectUri = 'http://127.0.0.1/callback';

const { client, admin, addRole, logIn, saveSettings } = useFunctions();
const provider = useRunning(() => startOpenAi(model));
let clientId: string;
let assistants: string;
let editors: string;
let extra: string;
let accounts = 0;

const send = (path: string, body: Json | undefined, token = '') =>
  client.ask(path, { body, token, headers: { accept: 'application/json, text/event-stream' } });
const post = async (path: string, body: Json, token = admin.token) =>
  (await send(`${system}/${path}`, body, token)).json;

beforeAll(async () => {
  const values = { enabled: true, base_url: provider.baseUrl, api_key: model.key, model: model.model };
  await saveSettings('ai', values);
  assistants = await addRole('system/ai/mcp:write', 'tool/system.overview:read');
  editors = await addRole('system/setting/dict:write');
  extra = await addRole('system/role:read');
  await post('setting/dict/type/add', { type_key: 'colour', name: 'Colours', enabled: true });
  clientId = (await post('oauth/client/add', { name: 'Desk', redirect_uris: [redirectUri] })).data.id;
}, 120_000);

/** An administrator with one credential of each kind. */
async function createHolder() {
  accounts += 1;
  const account = `holder-${accounts}`;
  const person = { account, name: account, password, role_ids: [assistants, editors] };
  const id: string = (await post('admin/add', person)).data.id;
  const session = (await logIn(account, password)).token;
  const made = await post('admin/token/add', { name: 'x', scope: 'mcp:write', days: 1, password }, session);
  const { access, refresh } = await connect(session);
  return { id, account, session, token: made.data.token, access, refresh, confirm: await propose(session) };
}
type Holder = Awaited<ReturnType<typeof createHolder>>;

async function connect(session: string) {
  const { verifier, challenge } = createPkce();
  const parameters = authorizeParameters(clientId, redirectUri, challenge);
  const { data } = await post('oauth/approve', { ...parameters, approved: true }, session);
  const { json } = await askToken({
    ...{ grant_type: 'authorization_code', code: codeOf(data.redirect) },
    ...{ redirect_uri: redirectUri, code_verifier: verifier },
  });
  return { access: String(json.access_token), refresh: String(json.refresh_token) };
}
const askToken = (form: Record<string, string>) =>
  client.ask('/oauth/token', { form: { client_id: clientId, ...form } });

let values = 0;
/** Lets the assistant propose a change. @returns the token that confirms it */
async function propose(session: string): Promise<string> {
  values += 1;
  const call = { type_key: 'colour', value: `c${values}`, name: `c${values}` };
  provider.script({ calls: [{ name: 'system__add_dict_item', arguments: call }] });
  const { data } = await post('ai/mcp/chat', { message: 'add it' }, session);
  return data.pending[0].confirm_token;
}

/** The code that each use answers. @param login opens the chat for the confirmation */
async function tryUses({ session, token, access, refresh, confirm }: Holder, login = session) {
  const useTool = async (bearer: string) => {
    const call = { name: 'system__overview', arguments: {} };
    const { status, json } = await send(
      '/mcp/service',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
      bearer,
    );
    return status === 200 ? (json.result.isError ? 'refused' : 'ok') : json.code;
  };
  const codes = {
    session: (await send(`${system}/setting/dict/type/list`, undefined, session)).json.code,
    token: await useTool(token),
    connection: await useTool(access),
    refresh: (await askToken({ grant_type: 'refresh_token', refresh_token: refresh })).json.error ?? 'ok',
  };
  provider.script({ content: 'done' });
  const { code, data } = await post('ai/mcp/chat', { confirm: [confirm] }, login);
  return { ...codes, confirmation: data?.steps[0].error?.code ?? code };
}

const all = (code: string, confirmation = code) => ({
  ...{ session: code, token: code, connection: code },
  refresh: code === 'ok' ? 'ok' : 'invalid_grant',
  confirmation,
});

test('every use is allowed to who is enabled', async () => {
  expect(await tryUses(await createHolder())).toEqual(all('ok'));
});

const own = (id: string) => ({ id, password, old_password: password });

describe('every use is refused', () => {
  test.each([
    ['is disabled', 'admin/edit', { status: 'disabled' }],
    ['is deleted', 'admin/delete', {}],
  ])('with the next request to who %s', async (_event, path, body) => {
    const holder = await createHolder();
    // Caches hold everything.
    await tryUses({ ...holder, refresh: 'x', confirm: 'x' });

    await post(path, { id: holder.id, ...body });

    expect(await tryUses(holder)).toEqual(all('auth.principal_disabled'));
  });

  test.each<[string, (holder: Holder) => Promise<unknown>]>([
    ['gets a password from another', ({ id }) => post('admin/password', { id, password })],
    ['loses all roles', ({ id }) => post('admin/roles', { id, role_ids: [] })],
    ['becomes super', ({ id }) => post('admin/roles', { id, role_ids: [], super: true })],
    ['gets a role', ({ id }) => post('admin/roles', { id, role_ids: [assistants, editors, extra] })],
    ['changes the own password', ({ id, session }) => post('admin/password', own(id), session)],
  ])('with the next request to who %s, and stays so', async (_event, change) => {
    const holder = await createHolder();
    await tryUses({ ...holder, refresh: 'x', confirm: 'x' });

    await change(holder);
    const first = await tryUses(holder);
    // Everything that was taken is given back.
    await editAdmin(holder.id, { status: 'disabled' });
    await editAdmin(holder.id, { status: 'enabled' });
    await setAdminRoles(holder.id, [assistants, editors], false);
    const later = await tryUses(holder, (await logIn(holder.account, password)).token);

    expect(first).toEqual(all('auth.token_revoked'));
    expect(later).toEqual(all('auth.token_revoked', 'tool.confirm_invalid'));
  });

  test('for what a lost role has opened, and no other', async () => {
    const holder = await createHolder();

    await post('admin/roles', { id: holder.id, role_ids: [assistants] });

    expect(await tryUses(holder)).toEqual({
      ...all('ok'),
      ...{ session: 'auth.permission_denied', confirmation: 'auth.permission_denied' },
    });
  });
});

describe('the own password', () => {
  test('is changed with tokens and connections kept, if one asks for it; logins and confirmations end', async () => {
    const holder = await createHolder();
    const { id, session, account } = holder;

    await post('admin/password', { ...own(id), keep_tokens: true }, session);
    const { data } = await post('login/account', { account, password }, '');

    // The epochs stay inside.
    expect(z.safeParse(adminData, data.admin).error).toBeUndefined();

    expect(await tryUses(holder, (await logIn(account, password)).token)).toEqual({
      ...all('ok'),
      ...{ session: 'auth.token_revoked', confirmation: 'tool.confirm_invalid' },
    });
  });

  test('of another is set with nothing kept', async () => {
    const { id, token } = await createHolder();

    await post('admin/password', { id, password, keep_tokens: true });

    const { json } = await send('/mcp/service', { jsonrpc: '2.0', id: 1, method: 'ping' }, token);
    expect(json.code).toBe('auth.token_revoked');
  });

  test.each([{}, { password: 'a wrong guess' }])('makes no API token with %j', async (given) => {
    const { session } = await createHolder();
    const body = { name: 'y', scope: 'mcp:write', days: 1, ...given };

    const { code, errors } = await post('admin/token/add', body, session);

    const { json } = await send(`${system}/admin/token/list`, undefined, session);
    expect([code, errors[0].path]).toEqual(['request.invalid', 'body.password']);
    expect(json.data.list.map(({ name }: { name: string }) => name)).toEqual(['Desk', 'x']);
  });

  test('is asked for by a consent of a login that is older than 10 minutes', async () => {
    const { session } = await createHolder();
    const parameters = authorizeParameters(clientId, redirectUri, createPkce().challenge);
    const answer = async (more: Json) => {
      const { code, errors = [] } = await post('oauth/approve', { ...parameters, ...more }, session);
      return [code, ...errors.map(({ path }: { path: string }) => path)];
    };
    const needsPassword = async () => {
      const query = new URLSearchParams(parameters).toString();
      return (await send(`${system}/oauth/request?${query}`, undefined, session)).json.data.needs_password;
    };
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now');

    clock.mockImplementation(() => now + 500_000);
    const fresh = [await needsPassword(), await answer({ approved: true })];
    clock.mockImplementation(() => now + 602_000);
    const old = [await needsPassword(), await answer({ approved: true })];
    const others = [
      await answer({ approved: true, password: 'a wrong guess' }),
      await answer({ approved: true, password }),
      await answer({ approved: false }),
    ];
    clock.mockRestore();

    const refused = ['request.invalid', 'body.password'];
    expect([...fresh, ...old]).toEqual([false, ['ok'], true, refused]);
    expect(others).toEqual([refused, ['ok'], ['ok']]);
  });
});

describe('the tokens of an administrator', () => {
  const listOf = async (id: string, bearer = admin.token) => {
    const { json } = await send(`${system}/admin/token/list?owner_id=${id}`, undefined, bearer);
    return json.data?.list ?? json.errors[0].path;
  };

  test('are listed and ended by another who holds all that one holds, and recorded with their owner', async () => {
    const holder = await createHolder();
    const [connection, token] = await listOf(holder.id);

    for (const { id } of [connection, token]) {
      await post('admin/token/revoke', { id, owner_id: holder.id });
    }

    expect([connection.kind, token.kind]).toEqual(['oauth', 'token']);
    expect(await listOf(holder.id)).toEqual([]);
    const kept = { session: 'ok', confirmation: 'ok' };
    expect(await tryUses(holder)).toEqual({ ...all('auth.token_revoked'), ...kept });
    const { data } = await admin.get(`${system}/audit/list?target=api_tokens:${holder.id}:${token.id}`);
    expect(data.list).toMatchObject([
      { action: 'system/admin/token/revoke', outcome: 'ok' },
      { action: 'system/admin/token/add', outcome: 'ok' },
    ]);
  });

  test('that ended with an epoch are not listed', async () => {
    const { id, account } = await createHolder();

    await post('admin/password', { id, password });

    expect(await listOf(id)).toEqual([]);
    const { data } = await (await logIn(account, password)).get(`${system}/admin/token/list`);
    expect(data.list).toEqual([]);
  });

  test('are hidden from who lacks the right, also with the right to administrators', async () => {
    const [holder, other] = [await createHolder(), await createHolder()];
    const grants = ['system/admin:write', 'system/ai/mcp:write', 'system/setting/dict:write'];
    const role = (await post('role/add', { name: 'manager', grants })).data.id;
    await post('admin/roles', { id: other.id, role_ids: [role, assistants, editors] });
    const session = (await logIn(other.account, password)).token;

    const refusals = [
      await listOf(holder.id, session),
      (await post('admin/token/revoke', { id: holder.id, owner_id: holder.id }, session)).errors[0].path,
    ];

    expect(refusals).toEqual(['system/admin/token/list:read', 'system/admin/token/revoke:write']);
    // The own ones are free, also by the own ID.
    expect(await listOf(other.id, session)).toEqual([]);
  });

  test('of an unknown owner are not found', async () => {
    const { code } = await admin.get(`${system}/admin/token/list?owner_id=${clientId}`);

    expect(code).toBe('admin.not_found');
  });
});
