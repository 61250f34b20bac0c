import '../support/environment.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { administrator } from '../support/administrator.ts';
import { outcome, paths as pathsOf } from '../support/answers.ts';
import type { Answer } from '../support/client.ts';
import { createTempDir } from '../support/local-server.ts';
import { readCodeBlocks } from '../support/read-code-blocks.ts';
import { useSharedServer } from '../support/use-server.ts';

// Each rule against escalation, through every route that could break it.

const { server, client, admin, addAdmin, addRole, logIn, logInAgain } = useSharedServer();
const password = 'a long password';
const post = (path: string, body: unknown, token = admin.token): Promise<Answer> =>
  client.in('en').post(`/adminapi/system/${path}`, body, { token });

describe('an administrator who manages roles, administrators and articles', () => {
  const managing = ['system/role:write', 'system/admin:write', 'system/admin/token:write', 'article:write'];
  const missing = ['system/setting/dict/type/add:write'];
  const read = ['article:read'];
  const both = [...read, ...missing];
  let manager: { id: string; token: string };
  let own: string;
  let within: string;
  let lesser: string;
  let beyond: string;
  let weak: { id: string; account: string };
  let strong: { id: string; account: string };
  let supreme: { id: string; account: string };

  beforeAll(async () => {
    own = await addRole(...managing);
    within = await addRole('article/article:read');
    lesser = await addRole(...read);
    beyond = await addRole(...both);
    manager = await addAdmin({ roles: [own] });
    weak = await addAdmin({ roles: [within] });
    strong = await addAdmin({ roles: [beyond] });
    supreme = await addAdmin({ super: true });
  });

  const act = (path: string, body: unknown) =>
    path.includes('?')
      ? client.get(`/adminapi/system/${path}`, { token: manager.token })
      : post(path, body, manager.token);
  const newcomer = () => ({ account: 'newcomer', name: 'New', password });

  test('may use the rights that they hold', async () => {
    const answers = [
      await act('role/add', { name: 'a', grants: ['article/article/add:write', 'system/role/list:read'] }),
      await act('role/edit', { id: within, version: 1, grants: ['article:read'] }),
      await act('admin/roles', { id: weak.id, role_ids: [own, within] }),
      await act('admin/edit', { id: weak.id, name: 'Weak' }),
      await act('admin/password', { id: weak.id, password: 'a long password' }),
      await act('admin/roles', { id: weak.id, role_ids: [within] }),
      await act('admin/add', { ...newcomer(), account: 'colleague', role_ids: [own, within, own] }),
      await act(`admin/token/list?owner_id=${weak.id}`, {}),
      await act('admin/token/revoke', { id: own, owner_id: weak.id }),
    ];

    expect(answers.map(({ code }) => code)).toEqual(Array(9).fill('ok'));
    expect(answers[6]?.data).toMatchObject({ account: 'colleague', super: false, role_ids: [own, within] });
  });

  const exceeding: [string, () => [string, object], string[]][] = [
    ['adds a role beyond them', () => ['role/add', { name: 'x', grants: missing }], missing],
    ['adds it to a role', () => ['role/edit', { id: lesser, version: 1, grants: both }], missing],
    ['adds an administrator who has it', () => ['admin/add', { ...newcomer(), role_ids: [beyond] }], missing],
    ['adds a super administrator', () => ['admin/add', { ...newcomer(), super: true }], ['super']],
    ['lists the tokens of who has it', () => [`admin/token/list?owner_id=${strong.id}`, {}], missing],
    ['ends a token of who has it', () => ['admin/token/revoke', { id: own, owner_id: strong.id }], missing],
    ['lists the tokens of one', () => [`admin/token/list?owner_id=${supreme.id}`, {}], ['super']],
    ['ends a token of one', () => ['admin/token/revoke', { id: own, owner_id: supreme.id }], ['super']],
    ['edits a role beyond them', () => ['role/edit', { id: beyond, version: 1, grants: read }], missing],
    ['renames it', () => ['role/edit', { id: beyond, version: 1, name: 'x' }], missing],
    ['deletes it', () => ['role/delete', { id: beyond }], missing],
    ['assigns it', () => ['admin/roles', { id: weak.id, role_ids: [beyond] }], missing],
    ['takes it away', () => ['admin/roles', { id: strong.id, role_ids: [] }], missing],
    ['renames who has it', () => ['admin/edit', { id: strong.id, name: 'x' }], missing],
    ['disables who has it', () => ['admin/edit', { id: strong.id, status: 'disabled' }], missing],
    ['deletes who has it', () => ['admin/delete', { id: strong.id }], missing],
    ['sets the password of who has it', () => ['admin/password', { id: strong.id, password }], missing],
    ['makes someone super', () => ['admin/roles', { id: weak.id, role_ids: [], super: true }], ['super']],
    ['demotes one', () => ['admin/roles', { id: supreme.id, role_ids: [], super: false }], ['super']],
    ['renames one', () => ['admin/edit', { id: supreme.id, name: 'x' }], ['super']],
    ['disables one', () => ['admin/edit', { id: supreme.id, status: 'disabled' }], ['super']],
    ['deletes one', () => ['admin/delete', { id: supreme.id }], ['super']],
    ['sets the password of one', () => ['admin/password', { id: supreme.id, password }], ['super']],
  ];

  test.each(exceeding)('is refused if the request %s', async (_, request, paths) => {
    const answer = await act(...request());

    expect([outcome(answer), pathsOf(answer)]).toEqual(['403 role.exceeds', paths]);
    // Both are as they were, their passwords too.
    await logIn(strong.account);
    await logIn(supreme.account);
  });

  test('is refused a shorter grant that covers more, which names everything that is missing', async () => {
    const answer = await act('role/add', { name: 'x', grants: ['system:read'] });

    expect(answer.code).toBe('role.exceeds');
    expect(pathsOf(answer)).toContain('system/file/list:read');
    expect(pathsOf(answer)).not.toContain('system/role/list:read');
  });

  test('cannot change the own roles, disable or delete themselves, but change the own name', async () => {
    const { id } = manager;

    const answers = [
      await act('admin/roles', { id, role_ids: [] }),
      await act('admin/edit', { id, status: 'disabled' }),
      await act('admin/delete', { id }),
      await act('role/edit', { id: own, version: 1, name: 'mine' }),
      await act('role/edit', { id: own, version: 1, grants: managing.slice(0, 2) }),
      await act('admin/edit', { id, name: 'Manager' }),
    ];

    expect(answers.map(outcome)).toEqual([...Array(5).fill('409 admin.self'), '200 ok']);
  });

  test('is refused everything when the role is taken away', async () => {
    const other = await addAdmin({ roles: [own, within] });
    await post('admin/roles', { id: other.id, role_ids: [within] });

    expect(await post('role/add', { name: 'x', grants: ['article:read'] }, other.token)).toMatchObject({
      ...{ status: 403, code: 'auth.permission_denied', errors: [{ path: 'system/role/add:write' }] },
    });
  });
});

describe('a super administrator', () => {
  test('edits a role that they hold: their rights come from no role', async () => {
    const id = await addRole('article:read');
    const { token } = await addAdmin({ roles: [id], super: true });

    expect((await post('role/edit', { id, version: 1, grants: ['article:write'] }, token)).code).toBe('ok');
  });

  test('adds an administrator with a role that does not exist: nothing is stored', async () => {
    const person = { account: 'not-yet', name: 'x', password: 'a long password' };
    const ask = (role_ids: string[]) => post('admin/add', { ...person, role_ids });

    const refused = await ask(['01JA4Q2M7Z3V8XK5T9R6W1C0BD']);
    const id = await addRole('article:read');
    const added = await ask([id]);

    expect(refused).toMatchObject({ status: 404, code: 'role.not_found' });
    expect(added.code).toBe('ok');
    expect(await post('role/delete', { id })).toMatchObject({ code: 'role.in_use' });
  });
});

describe('a role', () => {
  test('is refused with a grant that covers nothing, or is no grant', async () => {
    const grants = ['article:read', 'system/set:write', 'article/article/add:read', 'article', '*:write'];

    const answers = await Promise.all([
      post('role/add', { name: 'x', grants: grants.slice(0, 3) }),
      post('role/add', { name: 'x', grants: grants.slice(3) }),
    ]);

    expect(answers.map(({ status, errors }) => [status, ...errors.map(({ path }) => path)])).toEqual([
      [422, 'body.grants.1', 'body.grants.2'],
      [422, 'body.grants.0', 'body.grants.1'],
    ]);
  });

  test('cannot be deleted while administrators have it, and says how many', async () => {
    const id = await addRole('article:read');
    const holders = [await addAdmin({ roles: [id] }), await addAdmin({ roles: [id] })];

    const used = await post('role/delete', { id });
    for (const holder of holders) await post('admin/delete', { id: holder.id });
    const free = await post('role/delete', { id });

    expect(used).toMatchObject({ status: 409, code: 'role.in_use', message: expect.stringContaining('(2)') });
    expect(free.status).toBe(200);
    expect(await post('role/delete', { id })).toMatchObject({ status: 404, code: 'role.not_found' });
  });

  test('is either deleted or assigned, if both happen at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [id, { id: adminId }] = [await addRole('article:read'), await addAdmin()];

      const answers = await Promise.all([
        post('role/delete', { id }),
        post('admin/roles', { id: adminId, role_ids: [id] }),
      ]);

      const codes = answers.map(({ code }) => code).join(' ');
      expect(['ok role.not_found', 'role.in_use ok']).toContain(codes);
    }
  });

  test('that does not exist cannot be assigned, and nothing changes', async () => {
    const { id } = await addAdmin();

    const answer = await post('admin/roles', { id, role_ids: ['01JA4Q2M7Z3V8XK5T9R6W1C0BD'], super: true });

    const { data } = await admin.get(`/adminapi/system/admin/detail?id=${id}`);
    expect(answer).toMatchObject({ status: 404, code: 'role.not_found' });
    expect(data).toMatchObject({ super: false, role_ids: [] });
  });
});

describe('of two super administrators', () => {
  type Change = (id: string) => [path: string, body: object];
  const demote: Change = (id) => ['admin/roles', { id, role_ids: [], super: false }];
  const disable: Change = (id) => ['admin/edit', { id, status: 'disabled' }];
  const remove: Change = (id) => ['admin/delete', { id }];

  test.each([
    ['demote', demote],
    ['disable', disable],
    ['delete', remove],
  ])('one is left if they %s each other at once', async (_, change) => {
    const [first, second] = [await addAdmin({ super: true }), await addAdmin({ super: true })];
    // All others are ordinary for a while.
    const { data } = await admin.get('/adminapi/system/admin/list?limit=100');
    const others = data.list.filter(({ id }: { id: string }) => ![first.id, second.id].includes(id));
    const supers = others.filter((each: { super: boolean }) => each.super);
    for (const { id } of supers) await post('admin/roles', { id, role_ids: [], super: false }, first.token);

    const answers = await Promise.all([
      post(...change(second.id), first.token),
      post(...change(first.id), second.token),
    ]);

    const left = answers[0]?.code === 'ok' ? first : second;
    for (const { id } of supers) await post('admin/roles', { id, role_ids: [], super: true }, left.token);
    await logInAgain();
    const codes = answers.map(({ code }) => code).filter((code) => code !== 'ok');
    // The slower one finds the check of the table, or has no rights any more.
    const slower = /^(admin\.last_super|auth\.(permission_denied|principal_disabled|token_revoked))$/;
    expect(codes).toEqual([expect.stringMatching(slower)]);
  });
});

test('every command of docs/roles.md answers as the page says', async () => {
  const script = readCodeBlocks('docs/roles.md')
    .flatMap(({ language, code }) => (language === 'sh' ? [code] : []))
    .join('\n')
    .replaceAll('http://localhost:3000', server.url)
    .replace('"account":"admin"', `"account":"${administrator.account}"`)
    .replaceAll('THE PASSWORD', administrator.password);

  const { stdout } = await promisify(execFile)('bash', ['-ec', script], { cwd: createTempDir() });

  const codes = [...stdout.matchAll(/^\{"code":"([^"]*)"/gm)].map(([, code]) => code);
  expect(codes).toEqual([
    ...['ok', 'ok', 'ok', 'auth.permission_denied', 'ok', 'ok', 'ok'],
    ...['role.in_use', 'ok', 'ok', 'ok', 'ok', 'ok'],
  ]);
});
