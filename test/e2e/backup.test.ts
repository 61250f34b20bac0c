import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { backUp } from '#cli/backup/back-up.ts';
import { connectEngine, type RawItem, scanTable } from '#cli/backup/items.ts';
import { restore } from '#cli/backup/restore.ts';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { type LocalEngineName, startDynamoDbEngine } from '#cli/local/dynamodb-engine.ts';
import { administrator } from '../support/administrator.ts';
import { createTempDir, projectRoot, runToEnd, startLocalServer } from '../support/local-server.ts';
import { runService, shellEnvironment } from '../support/run-service.ts';
import { connect, useServer } from '../support/use-server.ts';
import { createDesk } from './article-fixture.ts';
import { uploadPicture } from './file-fixture.ts';

// `backup` and `restore` of a local installation.

// Answers name it, so both installations have the same.
const PUBLIC_URL = 'https://site.example';
const {
  server,
  client: visitor,
  admin,
  saveSettings,
} = useServer({ environment: { PUBLIC_URL, TABLE_NAME: 'backend-first' } });
const desk = createDesk(admin);

const folder = createTempDir();
const file = join(folder, 'backup.tar');
const run = (dataDir: string, ...args: string[]) =>
  runService(projectRoot, { DATA_DIR: dataDir, PUBLIC_URL }, ...args);

const paths = [
  '/adminapi/article/article/list',
  '/adminapi/system/file/list',
  '/adminapi/system/setting/config/list',
  '/adminapi/system/setting/dict/type/list',
  '/adminapi/system/role/list',
  '/adminapi/system/admin/list',
];
const secret = 'a-secret-of-the-provider';
let uri: string;
let privateId: string;
let token: string;
let before: unknown[];
let first: Awaited<ReturnType<typeof run>>;

beforeAll(async () => {
  ({ token } = (await visitor.post('/adminapi/system/login/account', administrator)).data);
  uri = (await uploadPicture(admin, 'picture.png')).uri;
  privateId = (await uploadPicture(admin, 'card.png', '', 'private')).id;
  for (let each = 0; each < 30; each += 1)
    await desk.add({ title: `Article ${each}`, content: `<p>${'x'.repeat(9000)}</p>` });
  await saveSettings('aliyun', { secret_key: secret });
  before = await Promise.all(paths.map(async (path) => (await admin.get(path)).data));
  expect(before.every((data) => data !== null)).toBe(true);
  first = await run(server.dataDir, 'backup', file);
});

describe('a backup of a running installation', () => {
  test('says what it holds, and that it holds keys', () => {
    expect(first).toMatchObject({ code: 0, complaint: '' });
    expect(first.printed).toMatch(/backup\.tar: \d+ items, 2 files, .+ MiB, of \d{4}-.+Z\nIt holds the keys/);
    expect(first.printed).toMatch(/\nNot in it, because set in the environment: PUBLIC_URL$/);
  });

  test('is readable by its owner only, and leaves nothing else', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['backup.tar']);
    expect(readdirSync(server.dataDir).filter((name) => name.startsWith('backup'))).toEqual([]);
  });

  test('is refused for a folder without an installation', async () => {
    const dataDir = createTempDir();
    const { code, complaint } = await run(dataDir, 'backup', join(folder, 'none.tar'));

    expect([code, complaint]).toEqual([1, `${dataDir} has no installation (DATA_DIR)`]);
    expect(readdirSync(folder)).toEqual(['backup.tar']);
  });

  test('holds both halves of everything that was written in one transaction meanwhile', async () => {
    let isOver = false;
    const writing = (async () => {
      for (let each = 0; !isOver; each += 1)
        await desk.add({ title: `Meanwhile ${each}`, content: '<p>text</p>' });
    })();
    const meanwhile = join(folder, 'meanwhile.tar');
    expect((await run(server.dataDir, 'backup', meanwhile)).code).toBe(0);
    isOver = true;
    await writing;
    const dataDir = join(createTempDir(), 'data');
    await restore(meanwhile, {
      dataDir,
      storageDir: dataDir,
      tableName: 'backend-local',
      environment: shellEnvironment(),
    });

    const keys = (await readTable(dataDir, 'backend-local')).map(
      ({ pk, sk }) => [pk?.S ?? '', sk?.S ?? ''] as const,
    );
    const articles = keys.filter(([pk]) => pk.startsWith('ARTICLE#'));
    const contents = articles.filter(([, sk]) => sk === '#content');
    expect(contents.length).toBeGreaterThanOrEqual(30);
    expect(articles.length).toBe(2 * contents.length);
  });
});

describe('a restored installation', () => {
  const dataDir = join(createTempDir(), 'new', 'data');
  let restored: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    restored = await run(dataDir, 'restore', file);
  });

  test('says its folder and its size', () => {
    expect(restored).toMatchObject({ code: 0, complaint: '' });
    expect(restored.printed).toMatch(/^.+data: \d+ items, 2 files, of .+Z\nStart it with npm start$/);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  test('answers as the first one: logins, records, settings, files; its audit log is as it was written', async () => {
    const other = await startLocalServer({ dataDir, environment: { PUBLIC_URL } });
    const { client, logIn } = connect(other);
    const [, month = ''] = /^(\d{4}-\d\d)/.exec(new Date().toISOString()) ?? [];

    // The session of the first one goes on.
    expect(await client.as(token).get('/adminapi/system/role/list')).toMatchObject({ status: 200 });
    const again = await logIn(administrator.account, administrator.password);
    const after = await Promise.all(paths.map(async (path) => (await again.get(path)).data));
    expect(withoutLogins(after)).toEqual(withoutLogins(before));
    const { pathname } = new URL(uri, PUBLIC_URL);
    const pictures = await Promise.all(
      [server, other].map(async ({ url }) => Buffer.from(await (await fetch(url + pathname)).arrayBuffer())),
    );
    expect(pictures[0]).toEqual(pictures[1]);
    expect(pictures[1]?.length).toBeGreaterThan(0);
    const { data } = await again.get(`/adminapi/system/file/url?id=${privateId}`);
    const link = new URL(data.url);
    const card = await fetch(`${other.url}${link.pathname}${link.search}`);
    expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(await run(dataDir, 'config:get', 'aliyun.secret_key', '--reveal')).toMatchObject({
      printed: secret,
    });
    expect(await run(dataDir, 'audit:digest')).toMatchObject({ code: 0 });
    expect(await run(dataDir, 'audit:verify', '--month', month)).toMatchObject({ code: 0, complaint: '' });
    expect((await client.get('/health')).data).toMatchObject({ status: 'ok' });
    await other.stop();
  });
});

/** Records without the times of the last logins, and without cursors, which are encrypted: both differ. */
const withoutLogins = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, each) => (/^last_login|_ip$|^next_cursor$/.test(name) ? undefined : each)),
  );

async function readTable(dataDir: string, table: string, engine?: LocalEngineName): Promise<RawItem[]> {
  const running = await startDynamoDbEngine({ dataDir, environment: shellEnvironment(), engine });
  try {
    const items = (await Array.fromAsync(scanTable(connectEngine(running.endpoint), table))).flat();
    return items.sort((a, b) => (JSON.stringify([a.pk, a.sk]) < JSON.stringify([b.pk, b.sk]) ? -1 : 1));
  } finally {
    await running.stop();
  }
}

/** Neither engine nor order of attributes matters. */
const sortNames = (items: readonly RawItem[]) =>
  items.map((item) => Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))));

(findDynoxide() ? test : test.skip)(
  'goes from one engine to another, and back, with the same items',
  async () => {
    const local = createInstallation();
    await restore(file, { ...local, engine: 'dynamodb-local' });
    const second = join(folder, 'second.tar');
    await backUp(second, { ...local, engine: 'dynamodb-local' }, { service: '1', modules: {} });
    const back = createInstallation();
    await restore(second, { ...back, engine: 'dynoxide' });
    const direct = createInstallation();
    await restore(file, { ...direct, engine: 'dynoxide' });

    const [expected, found] = [
      await readTable(direct.dataDir, 'backend-other', 'dynoxide'),
      await readTable(back.dataDir, 'backend-other', 'dynoxide'),
    ];
    expect(expected.length).toBeGreaterThan(60);
    expect(sortNames(found)).toEqual(sortNames(expected));
    for (const name of ['secrets.json', 'audit-log-backend-other-end.json'])
      expect(readFileSync(join(back.dataDir, name))).toEqual(readFileSync(join(direct.dataDir, name)));
  },
);

function createInstallation() {
  const dataDir = join(createTempDir(), 'data');
  return { dataDir, storageDir: dataDir, tableName: 'backend-other', environment: shellEnvironment() };
}

test('says that APP_KEY lacks the key of the backup, and only then', async () => {
  const environment = { ...shellEnvironment(), APP_KEY: `${'a'.repeat(32)},${'b'.repeat(32)}` };
  const other = { ...createInstallation(), environment };
  expect(await restore(file, other)).toMatchObject({ lacksKeys: true });
  expect(await restore(file, createInstallation())).toMatchObject({ lacksKeys: false });

  const again = join(folder, 'own-key.tar');
  const { description } = await backUp(again, other, { service: '1', modules: {} });
  expect(description.environment).toEqual(['APP_KEY']);
  expect(description.keys).toEqual([expect.any(String), expect.any(String)]);
  expect(readFileSync(again).includes('a'.repeat(32))).toBe(false);
  expect(await restore(again, { ...createInstallation(), environment })).toMatchObject({ lacksKeys: false });
});

test('removes what a killed backup has left, and not the folder of one that runs', async () => {
  const left = join(server.dataDir, 'backup-999999999');
  const running = join(server.dataDir, `backup-${process.pid}`);
  for (const each of [left, running]) mkdirSync(each);

  expect((await run(server.dataDir, 'backup', join(folder, 'after.tar'))).code).toBe(0);
  expect([existsSync(left), existsSync(running)]).toEqual([false, true]);
  rmSync(running, { recursive: true });
});

describe('a damaged backup', () => {
  const damaged = join(folder, 'damaged.tar');
  /** Where things lie in a backup: the description, keys, items, a file, the sums, and the end. */
  const places = [0, 0.001, 0.01, 0.3, 0.6, 0.9, 0.985, 0.999];

  test.each(places)('is refused and leaves an empty folder: changed at %d of its length', async (place) => {
    const bytes = readFileSync(file);
    // The next byte that is not padding.
    const at = bytes.findIndex((byte, index) => index >= Math.floor(place * bytes.length) && byte !== 0);
    const start = at < 0 ? bytes.findLastIndex((byte) => byte !== 0) : at;
    bytes[start] = Number(bytes[start]) ^ 0x02;
    writeFileSync(damaged, bytes);
    const dataDir = createTempDir();
    const to = { ...createInstallation(), dataDir, storageDir: dataDir };

    await expect(restore(damaged, to)).rejects.toMatchObject({ name: 'ArchiveError' });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('that was cut is refused, and leaves no folder', async () => {
    const bytes = readFileSync(file);
    writeFileSync(damaged, bytes.subarray(0, bytes.length / 2));
    const to = createInstallation();

    await expect(restore(damaged, to)).rejects.toMatchObject({ name: 'ArchiveError' });
    expect(existsSync(to.dataDir)).toBe(false);
  });

  test('is named on the command line in one line', async () => {
    writeFileSync(damaged, 'x'.repeat(5000));
    const { code, complaint } = await run(join(createTempDir(), 'data'), 'restore', damaged);

    expect([code, complaint.split('\n').length]).toEqual([1, 1]);
  });
});

test('a folder with anything in it is refused, and stays as it is', async () => {
  const to = createInstallation();
  mkdirSync(to.dataDir);
  writeFileSync(join(to.dataDir, 'mine.txt'), 'mine');

  await expect(restore(file, to)).rejects.toThrow('is not empty');
  expect(readdirSync(to.dataDir)).toEqual(['mine.txt']);
  const storageDir = createTempDir();
  mkdirSync(join(storageDir, 'storage'));
  await expect(restore(file, { ...createInstallation(), storageDir })).rejects.toThrow('holds files');
});

test.each(['restoring.json', 'dynamodb', 'storage'])(
  'a restore that was killed as soon as %s existed does not start; the same command restores it',
  async (name) => {
    const dataDir = join(createTempDir(), 'data');
    const child = spawn(process.execPath, ['cli/service.ts', 'restore', file], {
      cwd: projectRoot,
      env: { ...shellEnvironment(), DATA_DIR: dataDir },
      stdio: 'ignore',
    });
    const ended = once(child, 'close');
    while (!existsSync(join(dataDir, name)) && child.exitCode === null) await delay(1);
    child.kill('SIGKILL');
    await ended;
    if (!existsSync(join(dataDir, 'restoring.json'))) throw new Error('it was over before it was killed');

    const start = await runToEnd({ DATA_DIR: dataDir, PORT: '0' });
    expect(start).toMatchObject({ code: 1, printed: expect.stringContaining('not restored completely') });
    expect(await run(dataDir, 'restore', file)).toMatchObject({ code: 0, complaint: '' });
    expect(readdirSync(dataDir)).not.toContain('restoring.json');
  },
);
