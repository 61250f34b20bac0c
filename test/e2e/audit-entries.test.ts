import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { recordCommand } from '#cli/record-command.ts';
import { defineEntity } from '#shared/db/entity.ts';
import { singleKey, transact } from '#shared/db/items.ts';
import { putItem, putNew } from '#shared/db/writes.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { createTexts } from '#shared/i18n/texts.ts';
import { label, secret } from '#shared/schema/marks.ts';
import { storedSettings } from '#shared/settings/store.ts';
import { type InvokeOptions, invokeTool } from '#shared/tools/invoke.ts';
import { McpTool, type ToolAccess, type ToolContext } from '#shared/tools/mcp-tool.ts';
import { validFiles } from '../fixtures/hostile/files.ts';
import { administrator } from '../support/administrator.ts';
import { registryOf } from '../support/tool-registry.ts';
import { readLog, recordOf, recordWork, useFunctions } from '../support/use-functions.ts';
import { createForm, field, filePart } from './upload-fixture.ts';

type Json = Record<string, unknown>;

const { client, admin, addAdmin, saveSettings } = useFunctions();

const article = {
  ...{ title: 'A title', category: 'news', status: 'enabled' },
  ...{ content: '<p>rich text</p>', summary: 'a summary' },
};
const addPath = '/adminapi/article/article/add';

describe('a change by an administrator', () => {
  test('is recorded with who, what and from where', async () => {
    const { answer, entries } = await recordOf(admin, addPath, article);

    const { id } = answer.data;
    expect(entries).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        ttl: Math.floor(Date.parse(String(entries[0]?.at)) / 1000) + 200 * 86_400,
        actor: { kind: 'admin', id: expect.any(String), account: administrator.account },
        channel: 'api',
        action: 'article/article/add',
        target: `article:${id}`,
        outcome: 'ok',
        code: 'ok',
        fields: { ...article, summary: { length: 9 }, content: { length: 16 } },
        request_id: answer.requestId,
        address: expect.any(String),
        mac: expect.any(String),
      },
    ]);
  });

  test('that is refused before it writes is recorded as refused', async () => {
    const id = '01J00000000000000000000000';
    const { answer, entries } = await recordOf(admin, '/adminapi/article/article/delete', { id });

    expect(answer.code).toBe('article.not_found');
    expect(entries).toMatchObject([
      { outcome: 'refused', code: 'article.not_found', target: `article:${id}`, fields: { id } },
    ]);
  });

  test('with a wrong body is recorded with the paths only', async () => {
    const { entries } = await recordOf(admin, addPath, { ...article, title: 5, secret: 'x' });

    const fields = { invalid: ['body.title', 'body'] };
    expect(entries).toMatchObject([{ outcome: 'refused', code: 'request.invalid', fields }]);
  });

  test.each([
    ['cannot be read', '{"title":', 'request.malformed'],
    ['is too large', JSON.stringify({ title: 'x'.repeat(2_000_000) }), 'request.too_large'],
  ])('whose body %s is recorded', async (_name, body, code) => {
    const { entries } = await recordOf(admin, addPath, body);

    expect(entries).toMatchObject([{ outcome: 'refused', code, fields: {} }]);
  });

  test('is not recorded if the gates refuse it', async () => {
    const { answer, entries } = await recordOf(admin.as('v1.forged.token.x'), addPath, article);

    expect([answer.code, entries]).toEqual(['auth.token_invalid', []]);
  });
});

describe('a login', () => {
  const path = '/adminapi/system/login/account';

  test('is recorded with its administrator, and without the password', async () => {
    const { answer, entries } = await recordOf(client, path, administrator);

    const { id } = answer.data.admin;
    expect(entries).toMatchObject([
      {
        actor: { kind: 'admin', id, account: administrator.account },
        action: 'system/login/account',
        target: `admin:${id}`,
        outcome: 'ok',
        fields: { account: { length: 4 } },
      },
    ]);
    expect(entries[0]?.fields).not.toHaveProperty('password');
  });

  test('that fails is recorded once an hour for its address and account, without an unknown name', async () => {
    const unknown = { account: 'hunter2hunter2', password: 'wrong password' };
    const known = { account: administrator.account, password: 'wrong password' };

    const first = await recordOf(client, path, unknown);
    const second = await recordOf(client, path, known);
    const others = [await recordOf(client, path, unknown), await recordOf(client, path, known)];

    const actor = { kind: 'admin', id: null, account: null };
    expect(first.entries).toMatchObject([{ actor, outcome: 'refused', code: 'auth.credentials_invalid' }]);
    expect(JSON.stringify(first.entries)).not.toContain('hunter2');
    // An attack on one account does not hide behind one on another.
    expect(second.entries).toMatchObject([{ actor: { account: known.account }, outcome: 'refused' }]);
    expect(others.flatMap(({ entries }) => entries)).toEqual([]);
  });
});

test('a request that cannot be read is no failed login', async () => {
  const { answer, entries } = await recordOf(client, '/adminapi/system/login/account', { account: 1 });

  expect([answer.code, entries]).toEqual(['request.invalid', []]);
});

describe('a refused permission', () => {
  test('is recorded once an hour for the administrator and the permission, for GET too', async () => {
    const { id, client: plain } = await addAdmin({ account: 'plain' });

    const { entries } = await recordWork(async () => {
      for (let n = 0; n < 3; n += 1) {
        await plain.post(addPath, article);
        await plain.get('/adminapi/article/article/list');
      }
    });

    const refused = {
      ...{ actor: { kind: 'admin', id, account: 'plain' }, target: null, fields: {} },
      ...{ outcome: 'refused', code: 'auth.permission_denied' },
    };
    const byAction = entries.sort((a, b) => (a.action < b.action ? -1 : 1));
    expect(byAction).toMatchObject([
      { ...refused, action: 'article/article/add' },
      { ...refused, action: 'article/article/list' },
    ]);
  });
});

test('a save of settings is recorded by the schema of each setting, and without secrets', async () => {
  const values = { bucket: 'backups', access_key: 'hunter2access', secret_key: 'hunter2secret' };
  const body = { group: 'qiniu', values };
  const { entries } = await recordOf(admin, '/adminapi/system/setting/config/save', body);

  expect(entries).toMatchObject([
    { target: 'config:qiniu', fields: { group: 'qiniu', values: { access_key: { length: 13 } } } },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/hunter2|secret_key/);
});

test('an upload is recorded in the history of its file', async () => {
  const { body, headers } = createForm([field('type', 'image'), filePart('a.png', validFiles.png)]);
  const { code, data } = await admin.post('/adminapi/system/upload/file', body, { headers });

  expect(code).toBe('ok');
  const entries = (await readLog()).filter(({ action }) => action === 'system/upload/file');
  expect(entries).toMatchObject([{ outcome: 'ok', target: `file:${data.id}` }]);
});

const shops = defineEntity({
  row: z.object({ name: z.string() }),
  key: ({ id }: { id: string }) => singleKey(`SHOP#${id}`),
  missing: () => new AppError('internal'),
  target: 'shop',
});

class RenameTool extends McpTool {
  override name = 'test.rename';
  override description = 'Renames.';
  override inputSchema = z.strictObject({ name: label(z.string()), secret: secret(z.string()) });
  override access: ToolAccess = 'write';
  override async authorize(_context: ToolContext, { name }: Json) {
    if (name === 'refused') throw new AppError('version_conflict');
  }
  override async handle({ name }: Json) {
    if (name !== 'idle') await transact([putItem({ ...shops.key({ id: '1' }), name })]);
    if (name === 'broken') throw new Error('broken');
    return {};
  }
}

const createOptions = (admin: object, id: string) =>
  ({
    ...{ channel: 'mcp', root: 'arguments', texts: createTexts('en'), admin: { ...admin, grants: [] } },
    request: { id, address: '203.0.113.7', remainingMs: () => 20_000 },
  }) as unknown as InvokeOptions;

describe('a call of a tool that writes', () => {
  const registry = registryOf([new RenameTool()]);
  const ok = { outcome: 'ok', target: 'shop:1' };
  const admin = { id: '01J0000000000000000000000A', account: 'root' };

  async function call(args: Json, options: Partial<InvokeOptions> = {}, tools = registry) {
    const id = randomUUID();
    const given = { ...createOptions({ ...admin, super: true }, id), ...options };
    await invokeTool(tools, { name: 'test.rename', arguments: args }, given).catch(() => undefined);
    const entries = (await readLog()).filter(({ request_id }) => request_id === id);
    expect(JSON.stringify(entries)).not.toContain('hunter2');
    return entries;
  }

  test.each([
    ['that changes', 'new', [ok]],
    ['that changes nothing', 'idle', [{ outcome: 'ok', target: null }]],
    ['that is refused', 'refused', [{ outcome: 'refused', code: 'version_conflict', target: null }]],
    ['that fails after its change', 'broken', [ok, { ...ok, outcome: 'failed', code: 'tool.failed' }]],
  ])('%s is recorded', async (_title, name, expected) => {
    const entries = await call({ name, secret: 'hunter2' }, { tokenId: 'T1' });

    const common = { channel: 'mcp', action: 'tool/test.rename', fields: { name } };
    const actor = { kind: 'token', ...admin, client: 'T1' };
    expect(entries.sort((a, b) => (a.outcome > b.outcome ? -1 : 1))).toMatchObject(
      expected.map((entry) => ({ ...common, actor, ...entry })),
    );
  });

  test('by an OAuth client is recorded with the client', async () => {
    const client = 'https://app.example/client.json';
    const entries = await call({ name: 'new', secret: 'hunter2' }, { tokenId: 'T1', client });

    expect(entries).toMatchObject([{ channel: 'mcp', actor: { kind: 'oauth', ...admin, client } }]);
  });

  test('is recorded by the permission that it needs', async () => {
    const path = 'article/article/edit';
    const tools = registryOf([new RenameTool()], [], () => ({ path, kind: 'write' }));
    const entries = await call({ name: 'new', secret: 'hunter2' }, {}, tools);

    expect(entries).toMatchObject([{ action: path, outcome: 'ok', target: 'shop:1' }]);
  });

  test('with wrong arguments is recorded with their paths', async () => {
    expect(await call({ name: 5, secret: 'hunter2' }, { channel: 'call' })).toMatchObject([
      { channel: 'api', outcome: 'refused', fields: { invalid: ['arguments.name'] } },
    ]);
  });
});

test('a refused call is recorded for a tool that reads too', async () => {
  const reading = new (class extends RenameTool {
    override access: ToolAccess = 'read';
  })();
  const id = randomUUID();
  const reader = { id: '01J0000000000000000000000B', account: 'reader', super: false };
  const refused = invokeTool(registryOf([reading]), { name: 'test.rename' }, createOptions(reader, id));

  await expect(refused).rejects.toMatchObject({ code: 'auth.permission_denied' });
  expect((await readLog()).filter(({ request_id }) => request_id === id)).toMatchObject([
    { action: 'tool/test.rename', outcome: 'refused', code: 'auth.permission_denied', target: null },
  ]);
});

describe('a command that changes data', () => {
  const schema = z.object({ group: label(z.string()), password: secret(z.string()) });
  const input = { group: 'site', password: 'hunter2' };

  test('is recorded with the user of the operating system', async () => {
    const before = (await readLog()).length;

    await recordCommand('config:set', schema, input, () =>
      transact([putNew({ ...storedSettings.key({ group: 'site', name: 'a' }), value: 1 })]),
    );

    const entries = await readLog();
    expect(entries).toHaveLength(before + 1);
    expect(entries.find(({ action }) => action === 'cli/config:set')).toMatchObject({
      ...{ actor: { kind: 'cli', id: userInfo().username }, channel: 'cli' },
      ...{ target: 'config:site', address: null },
      ...{ outcome: 'ok', fields: { group: 'site' } },
    });
  });
});

test('the days of retention count from the next entry on', async () => {
  await saveSettings('audit', { retention_days: 30 });
  const { entries } = await recordOf(admin, addPath, article);

  const [entry] = entries;
  expect(Number(entry?.ttl) - Math.floor(Date.parse(String(entry?.at)) / 1000)).toBe(30 * 86_400);
  const refused = { group: 'audit', values: { retention_days: 29 } };
  expect((await admin.post('/adminapi/system/setting/config/save', refused)).code).toBe('request.invalid');
});
