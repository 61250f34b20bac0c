import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createTempDir,
  type LocalServer,
  projectRoot,
  type RunningServer,
  runToEnd,
  startLocalServer,
} from '../support/local-server.ts';
import { copyProject } from '../support/project-copy.ts';
import { runScript, runService } from '../support/run-service.ts';
import { readStack, scanItems, useTable } from '../support/table.ts';
import { connect, useServer } from '../support/use-server.ts';

/** Makes the table of a running server one of a version that knew no roles. */
const leaveAsBeforeRoles = (server: RunningServer) =>
  useTable(server, async (table, TableName) => {
    for (const { pk, sk } of await scanItems(server)) {
      const Key = { pk, sk };
      if (['SCHEMA', 'ROLE', 'COUNTER#ROLE', 'COUNTER#ADMIN_SUPER'].includes(pk)) {
        await table.delete({ TableName, Key });
      } else if (pk.startsWith('ADMIN#')) {
        const ExpressionAttributeNames = { '#super': 'super' };
        await table.update({
          ...{ TableName, Key, ExpressionAttributeNames },
          UpdateExpression: 'REMOVE #super, role_ids',
        });
      }
    }
  });

const dictPath = '/adminapi/system/config/dict?type=user_kind,kept';

describe('npm start', () => {
  test('installs on first use, and keeps everything across restarts', async () => {
    const dataDir = createTempDir();
    const first = await startLocalServer({ dataDir, byNpm: true });
    const { admin, logInAgain } = connect(first);
    await logInAgain();
    const dict = admin.at('/adminapi/system/setting/dict');
    await dict.post('type/add', { type_key: 'kept', name: 'Kept', enabled: true });
    await dict.post('data/add', { type_key: 'kept', name: 'A', value: 'a' });
    const before = await admin.get(dictPath);

    const database = String(readStack(first).DYNAMODB_ENDPOINT);
    const withoutKey = await fetch(new URL('/', database), { method: 'POST' });

    await first.stop();
    const second = await startLocalServer({ dataDir, byNpm: true });
    const after = await connect(second).client.as(admin.token).get(dictPath);
    await second.endStarter();

    expect(withoutKey.status).toBe(403);
    await expect(fetch(database)).rejects.toThrow('fetch failed');
    expect(existsSync(join(dataDir, 'install.lock'))).toBe(true);
    expect(existsSync(join(dataDir, 'stack.json'))).toBe(false);
    expect(before.data).toMatchObject({ kept: [{ name: 'A', value: 'a' }] });
    expect(after.data).toEqual(before.data);
    expect(first.printed()).toContain('Administrator: account root');
    expect(second.printed()).not.toContain('Administrator:');
  });

  test('migrates data of an older version, and says so', async () => {
    const dataDir = createTempDir();
    const first = await startLocalServer({ dataDir });
    await leaveAsBeforeRoles(first);
    await first.stop();

    const second = await startLocalServer({ dataDir });
    const { admin, logInAgain } = connect(second);
    await logInAgain();
    const info = await admin.get('/adminapi/system/admin/info');
    await second.stop();
    const third = await startLocalServer({ dataDir });
    await third.stop();

    const done = 'Super administrators: 1 more; Role editor created; Role auditor created';
    expect(second.printed()).toContain(`Migrated data of an older version: ${done}\n`);
    expect(info.data).toMatchObject({ super: true, role_ids: [], grants: [] });
    expect(third.printed()).not.toContain('Migrated');
  });

  test('prints a generated password once and never a secret; starts with a damaged stack.json', async () => {
    const dataDir = createTempDir();
    writeFileSync(join(dataDir, 'stack.json'), '{"pid": 1');
    const environment = { ADMIN_ACCOUNT: '', ADMIN_PASSWORD: '' };
    const server = await startLocalServer({ dataDir, environment });
    const [, password = ''] =
      /account admin, password (\S+) \(shown this once\)/.exec(server.printed()) ?? [];

    const { client } = connect(server);
    const login = await client.post('/adminapi/system/login/account', { account: 'admin', password });
    await server.stop();

    const secrets: Record<string, string> = JSON.parse(
      readFileSync(join(server.dataDir, 'secrets.json'), 'utf8'),
    );
    expect(login.status).toBe(200);
    expect(server.printed().split(password)).toHaveLength(2);
    for (const secret of Object.values(secrets)) expect(server.printed()).not.toContain(secret);
  });

  test('says in one line that its port is busy', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;

    const { code, printed } = await runToEnd({ PORT: String(port), DATA_DIR: createTempDir() });
    other.close();

    expect([code, printed.trim()]).toEqual([1, expect.stringMatching(`^Port ${port} is in use.*$`)]);
  });

  test.each([
    ['TZ_NAME', 'Mars/Olympus', /^TZ_NAME: "Mars\/Olympus" is not a time zone.*$/],
    ['PORT', 'abc', /^PORT is "abc": it takes .*$/],
    ['CORS_ORIGINS', 'https://a.example/page', /^CORS_ORIGINS: "https:\/\/a\.example\/page" is not .*$/],
    ['DATA_DIR', '/proc/nope/data', /^\/proc\/nope cannot be created \(ENOENT\): set DATA_DIR .*$/],
    ['STORAGE_DIR', '/proc/nope/x', /^\/proc\/nope cannot be created \(ENOENT\): set STORAGE_DIR .*$/],
    ['ADMIN_ACCOUNT', '9x', /^ADMIN_ACCOUNT is "9x", which does not fit: .*$/],
  ])('reports an invalid %s=%s in one line', async (name, value, message) => {
    const { code, printed } = await runToEnd({ PORT: '0', DATA_DIR: createTempDir(), [name]: value });

    expect(code).toBe(1);
    expect(printed.trim()).toMatch(message);
  });

  test.each([
    ['short', /^ADMIN_PASSWORD .*$/],
    ['password1', /^ADMIN_PASSWORD does not fit: This password is among the most common ones.*$/],
    ['Keeper-2026', /^ADMIN_PASSWORD does not fit: This password is the account.*$/],
  ])('names an administrator setting that is refused in one line: %s', async (password, message) => {
    const dataDir = createTempDir();
    const administrator = { ADMIN_ACCOUNT: 'keeper', ADMIN_PASSWORD: password };

    const { code, printed } = await runToEnd({ PORT: '0', DATA_DIR: dataDir, ...administrator });

    expect(code).toBe(1);
    expect(printed.trim()).toMatch(message);
    expect(printed).not.toContain(password);
  });
});

describe('a local server on a free port, by PORT=0', () => {
  let server: LocalServer;
  let port: string;
  beforeAll(async () => {
    const dataDir = createTempDir();
    // Left by a killed server: nothing listens on this port, and the process ID belongs to another process.
    const left = { pid: process.pid, port: 9, environment: {} };
    writeFileSync(join(dataDir, 'stack.json'), JSON.stringify(left));
    server = await startLocalServer({ dataDir, environment: { PORT: '0' } });
    const [, url = ''] = /^Ready: (\S+)/m.exec(server.printed()) ?? [];
    port = new URL(url).port;
  });
  afterAll(() => server?.stop());

  test('prints the port', () => {
    expect(Number(port)).toBeGreaterThan(0);
  });

  test('answers on both addresses of localhost', async () => {
    const statuses = await Promise.all(
      ['localhost', '127.0.0.1', '[::1]'].map(
        async (host) => (await fetch(`http://${host}:${port}/health`)).status,
      ),
    );

    expect(statuses).toEqual([200, 200, 200]);
  });

  test('locks its data directory: a second server names the first one, and stops', async () => {
    const settings = { PORT: port, DATA_DIR: server.dataDir };
    const { pid } = JSON.parse(readFileSync(join(server.dataDir, 'stack.json'), 'utf8'));

    const same = await runToEnd(settings);
    const other = await runToEnd({ ...settings, PORT: '0' });
    const { status } = await fetch(`http://localhost:${port}/health`);

    const holder = `the local server at http://localhost:${port} (process ${pid})`;
    const expected = `${server.dataDir} is in use by ${holder}: stop it, or set DATA_DIR to another folder`;
    for (const { code, printed } of [same, other]) expect([code, printed.trim()]).toEqual([1, expected]);
    expect(status).toBe(200);
  });

  test('takes the data directory over from a killed server', () => {
    const { pid } = JSON.parse(readFileSync(join(server.dataDir, 'stack.json'), 'utf8'));

    expect(pid).not.toBe(process.pid);
  });
});

describe('a data directory', () => {
  test('is reported in one line if it is a file', async () => {
    const file = join(createTempDir(), 'file');
    writeFileSync(file, '');

    const { code, printed } = await runToEnd({ PORT: '0', DATA_DIR: file });

    expect([code, printed.trim()]).toEqual([1, `${file} is not a folder: set DATA_DIR to another one`]);
  });

  test('is named by a command if no server runs on it', async () => {
    const dataDir = createTempDir();

    const { code, complaint } = await runService(projectRoot, { DATA_DIR: dataDir }, 'seed');

    expect(code).toBe(1);
    expect(complaint).toContain(`no server runs on ${dataDir}`);
  });
});

test.each([
  ['a command', 'cli/service.ts', ['seed']],
  ['npm run docs', 'cli/docs.ts', []],
  ['packaging', 'node_modules/serverless/bin/serverless.js', ['print']],
])('%s refuses a time zone that does not exist', async (_what, file, args) => {
  const environment = { TZ_NAME: 'Mars/Olympus', DATA_DIR: createTempDir() };

  expect(await runScript(file, args, projectRoot, environment)).toMatchObject({
    code: 1,
    complaint: 'TZ_NAME: "Mars/Olympus" is not a time zone, use one such as Asia/Shanghai',
  });
});

describe('the running local server', () => {
  const copy = copyProject();
  const { server } = useServer({ root: copy.root, login: false });

  test('picks up changed, new, broken and removed route files', async () => {
    const read = async (path: string) => {
      const response = await fetch(server.url + path);
      return { status: response.status, data: Object(await response.json()).data };
    };
    const route = (text: string) => `
      import * as z from 'zod/mini';
      import { web } from '#shared/http/route.ts';
      export default web.get({
        summary: { zh_CN: '试', en: 'Trial' },
        data: z.string(),
        handler: async () => '${text}',
      });`;

    // The first request after a change gets it.
    copy.write('modules/System/Web/ping.ts', route('one'));
    const created = await read('/ping');
    copy.write('modules/System/Web/ping.ts', route('two'));
    const changed = await read('/ping');
    copy.write('modules/System/Web/ping.ts', 'export default web.get({');
    await server.prints(/modules\/System\/Web\/ping\.ts:1:\d+: /);
    const broken = await read('/ping');
    rmSync(join(copy.root, 'modules/System/Web/ping.ts'));
    const removed = await read('/ping');

    expect(created).toEqual({ status: 200, data: 'one' });
    expect(changed).toEqual({ status: 200, data: 'two' });
    expect(broken).toEqual({ status: 200, data: 'two' });
    expect(removed.status).toBe(404);
  });

  test('applies a change to the first request after it', async () => {
    const run = (...args: string[]) => runService(copy.root, { DATA_DIR: server.dataDir }, ...args);
    const ask = async () => (await fetch(`${server.url}/api/shop/kind/list`)).status;
    await run('module:make', 'Shop');

    const statuses: number[] = [];
    for (const command of ['enable', 'disable', 'enable']) {
      await run(`module:${command}`, 'Shop');
      statuses.push(await ask());
    }
    copy.write('modules/Shop/Api/kind/list.ts', 'export default broken(');
    statuses.push(await ask());

    expect(statuses).toEqual([200, 404, 200, 200]);
    expect(server.printed()).not.toContain('Cannot find module');
  });

  test('answers as the gateway does if the module of a function is gone', async () => {
    rmSync(join(copy.root, '.build', 'entries', 'system-web-health.mjs'));

    const response = await fetch(`${server.url}/health`);
    const answer = { status: response.status, body: await response.text() };

    expect(answer).toEqual({ status: 500, body: '{"message":"Internal Server Error"}' });
  });
});
