import { beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { closeLog } from '#modules/System/audit/close-log.ts';
import { auditData } from '#modules/System/audit/schema.ts';
import { storedLog } from '#modules/System/audit/stored-log.ts';
import { verifyMonth } from '#modules/System/audit/verify/verify.ts';
import { auditEntries } from '#shared/audit/stored-entries.ts';
import { updateItem } from '#shared/db/items.ts';
import { changeItem } from '#shared/db/writes.ts';
import { cursorListOf } from '#shared/schema/list.ts';
import { administrator } from '../support/administrator.ts';
import type { Client } from '../support/client.ts';
import { useFunctions } from '../support/use-functions.ts';

const base = '/adminapi/system/audit';
const password = 'correct horse battery';
const { client, admin, addRole, logIn } = useFunctions();
/** An administrator without a role. */
let clerk: Client;
let clerkId = '';

beforeAll(async () => {
  const person = { account: 'clerk', name: 'Clerk', password };
  clerkId = (await admin.post('/adminapi/system/admin/add', person)).data.id;
  await client.post('/adminapi/system/login/account', { account: 'clerk', password: 'wrong password' });
  clerk = await logIn('clerk', password);
});

const get = (path: string, caller: Client, query: Record<string, string> = {}) =>
  caller.get(`${base}${path}?${new URLSearchParams(query)}`);

/** A page of a list, checked against the schema of the answer. */
async function list(path: string, caller: Client, query: Record<string, string> = {}) {
  const { status, code, data } = await get(path, caller, query);
  expect({ status, code }).toEqual({ status: 200, code: 'ok' });
  return z.parse(cursorListOf(auditData), data);
}

/** What is wrong with the log of this month. */
const verify = async () => (await verifyMonth(new Date().toISOString().slice(0, 7), storedLog)).finding;

describe('the audit log', () => {
  test('lists what administrators did, newest first, with the text in the language of the caller', async () => {
    const english = await list('/list', admin.in('en'), { action: 'system/admin/' });
    const chinese = await list('/list', admin.in('zh-CN'), { action: 'system/admin/add' });

    expect(english.list).toMatchObject([
      {
        ...{ action: 'system/admin/add', title: 'Add an administrator', outcome: 'ok', genuine: true },
        ...{ channel: 'api', target: `admin:${clerkId}` },
        actor: { kind: 'admin', account: administrator.account },
      },
    ]);
    expect(chinese.list.map(({ title }) => title)).toEqual(['新增管理员']);
  });

  test('has a text for actions that need no permission', async () => {
    const made = { name: 'x', scope: 'mcp:read', days: 1, password };
    await clerk.post('/adminapi/system/admin/token/add', made);

    const { list: entries } = await list('/list', admin.in('en'), { actor: `admin:${clerkId}` });

    expect(entries.map(({ action, title }) => [action, title])).toEqual([
      ['system/admin/token/add', 'Add an API token; it is shown once'],
      ['system/login/account', 'Log an administrator in'],
      ['system/login/account', 'Log an administrator in'],
    ]);
  });

  test('is filtered, page by page', async () => {
    const query = { outcome: 'refused', limit: '1' };
    const first = await list('/list', admin, query);
    const second = await list('/list', admin, { ...query, cursor: String(first.next_cursor) });

    expect(first.list).toMatchObject([{ action: 'system/login/account', code: 'auth.credentials_invalid' }]);
    expect(second).toEqual({ list: [], next_cursor: null });
    expect(
      (await list('/list', admin, { target: `admin:${clerkId}`, action: 'system/admin' })).list,
    ).toHaveLength(1);
    expect(
      (await list('/list', admin, { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' })).list,
    ).toEqual([]);
  });

  test.each([
    [{ actor: 'admin' }, 'query.actor'],
    [{ from: 'yesterday' }, 'query.from'],
    [{ outcome: 'good' }, 'query.outcome'],
    [{ cursor: 'x' }, 'query.cursor'],
  ])('refuses %j', async (query, path) => {
    const { status, errors } = await get('/list', admin, query);

    expect({ status, errors }).toMatchObject({ status: 422, errors: [{ path }] });
  });

  test('shows one entry, and says that it was changed in the table', async () => {
    const [entry] = (await list('/list', admin, { action: 'system/admin/add' })).list;
    const id = String(entry?.id);
    const setAddress = (address: unknown) =>
      updateItem(changeItem(auditEntries.key({ id }), { set: { address } }).Update);
    expect((await get('/detail', admin, { id })).data).toEqual(entry);
    expect(await verify()).toBeUndefined();

    await setAddress('192.0.2.9');

    expect((await get('/detail', admin, { id })).data).toEqual({
      ...{ ...entry, address: '192.0.2.9', genuine: false },
    });
    expect(await verify()).toEqual({ kind: 'entry_changed', location: id });
    await setAddress(entry?.address);
  });

  test('is verified with a digest of what requests have recorded', async () => {
    const { digests } = await closeLog();

    expect(digests.at(-1)?.number).toBeGreaterThan(4);
    expect(await verify()).toBeUndefined();
  });

  test.each([
    ['01J00000000000000000000000', 404, 'audit.not_found'],
    ['8ZZZZZZZZZZZZZZZZZZZZZZZZZ', 422, 'request.invalid'],
    ['x', 422, 'request.invalid'],
  ])('has no entry %s', async (id, status, code) => {
    expect(await get('/detail', admin, { id })).toMatchObject({ status, code });
  });
});

describe('an administrator without rights', () => {
  test('sees the own logins, good and refused, and nothing else', async () => {
    const { list: mine } = await list('/mine', clerk);

    const shown = mine.map(({ actor, outcome }) => `${actor.id} ${outcome}`);
    expect(shown).toEqual([`${clerkId} ok`, `${clerkId} refused`]);
  });

  test.each(['/list', '/detail'])('is refused %s, also with a grant of all of system', async (path) => {
    const role_ids = [await addRole('system:write')];
    await admin.post('/adminapi/system/admin/roles', { id: clerkId, role_ids });
    clerk = await logIn('clerk', password);

    expect(await get(path, clerk, { id: '01J00000000000000000000000' })).toMatchObject({
      ...{ status: 403, code: 'auth.permission_denied' },
      errors: [{ path: `system/audit${path}:read` }],
    });
    const query = { action: `system/audit${path}`, outcome: 'refused' };
    const { list: refusals } = await list('/list', admin, query);
    expect(refusals).toMatchObject([{ actor: { id: clerkId }, code: 'auth.permission_denied' }]);
  });

  test('may read the log with a grant of its folder', async () => {
    const role_ids = [await addRole('system/audit:read')];
    await admin.post('/adminapi/system/admin/roles', { id: clerkId, role_ids });
    clerk = await logIn('clerk', password);

    expect((await get('/list', clerk)).status).toBe(200);
  });
});
