import { randomUUID } from 'node:crypto';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { putItems, scanTable } from '#cli/backup/items.ts';
import { createTable } from '#cli/install.ts';
import { findDynamoDbLocal, startDynamoDbEngine } from '#cli/local/dynamodb-engine.ts';
import { startUpstashEndpoint } from '#cli/local/upstash/start-upstash-endpoint.ts';
import { administrator } from '../support/administrator.ts';
import { createTempDir, type LocalServer, projectRoot, startLocalServer } from '../support/local-server.ts';
import { runService } from '../support/run-service.ts';
import { useTable } from '../support/table.ts';
import { useRunning } from '../support/use-running.ts';
import { connect } from '../support/use-server.ts';
import { createDesk } from './article-fixture.ts';
import { uploadPicture } from './file-fixture.ts';

// A stage that is pointed at a table as a point-in-time restore makes it (docs/operations.md, "Restore"): on Amazon's
// DynamoDB Local, or without Java on the engine of a local server.

const token = randomUUID();
const cache = useRunning(() => startUpstashEndpoint({ token }));
const dataDir = createTempDir();
const database = useRunning(async () => {
  const engine = (await findDynamoDbLocal(process.env)) ? 'dynamodb-local' : 'dynoxide';
  return startDynamoDbEngine({ dataDir, environment: process.env, engine });
});
const restored = 'backend-restored';
const [month = ''] = /^\d{4}-\d\d/.exec(new Date().toISOString()) ?? [];
const run = (...args: string[]) => runService(projectRoot, { DATA_DIR: dataDir }, ...args);
const start = (tableName?: string): Promise<LocalServer> =>
  startLocalServer({
    dataDir,
    environment: {
      DYNAMODB_ENDPOINT: database.endpoint,
      UPSTASH_REDIS_REST_URL: cache.url,
      UPSTASH_REDIS_REST_TOKEN: token,
      TABLE_NAME: tableName,
    },
  });

const copyTable = (server: LocalServer): Promise<void> =>
  useTable(server, async (client, former) => {
    await createTable(restored, client);
    for await (const page of scanTable(client, former)) await putItems(client, restored, page);
  });

const logIn = async (server: LocalServer): Promise<string> =>
  (await connect(server).client.post('/adminapi/system/login/account', administrator)).data.token;
const list = (server: LocalServer, credential: string) =>
  connect(server).client.as(credential).get('/adminapi/article/article/list');

let server: LocalServer;
const sessions = { before: '', after: '' };
const keys = { before: '', deleted: '', after: '' };

beforeAll(async () => {
  const first = await start();
  sessions.before = await logIn(first);
  const admin = connect(first).client.as(sessions.before);
  const toKey = ({ uri }: { uri: string }) => new URL(uri).pathname.replace(/^\/storage\//, '');
  await createDesk(admin).add({ title: 'Before' });
  keys.before = toKey(await uploadPicture(admin, 'before.png'));
  const deleted = await uploadPicture(admin, 'deleted.png');
  keys.deleted = toKey(deleted);
  expect((await run('audit:digest')).code).toBe(0);

  await copyTable(first);

  sessions.after = await logIn(first);
  const later = connect(first).client.as(sessions.after);
  await createDesk(later).add({ title: 'After' });
  keys.after = toKey(await uploadPicture(later, 'after.png'));
  expect(await later.post('/adminapi/system/file/delete', { ids: [deleted.id] })).toMatchObject({
    status: 200,
  });
  expect((await list(first, sessions.after)).data.list).toHaveLength(2);
  expect((await run('audit:digest')).code).toBe(0);
  await first.stop();
  server = await start(restored);
}, 180_000);

test('the cache is emptied, so that sessions of the time after it are refused; those before go on', async () => {
  const cleared = await run('cache:clear');

  expect(cleared).toMatchObject({ code: 0, complaint: '' });
  expect(cleared.printed).toMatch(/^Removed [1-9]\d* entries$/);
  expect(await list(server, sessions.after)).toMatchObject({ status: 401, code: 'auth.token_revoked' });
  expect((await list(server, sessions.before)).data.list).toMatchObject([{ title: 'Before' }]);
});

test('a login works, and so does a write', async () => {
  const admin = connect(server).client.as(await logIn(server));

  const { title } = await createDesk(admin).add({ title: 'New' });
  expect([title, (await admin.get('/adminapi/article/article/list')).data.list.length]).toEqual(['New', 2]);
});

test('files that differ from their records are named', async () => {
  const { code, printed, complaint } = await run('storage:verify');

  expect(printed.split('\n').sort()).toEqual(
    [
      '2 files: 1 missing, 0 of another size; 1 objects without a record',
      expect.stringMatching(RegExp(`^local: ${keys.deleted}: file \\w+: the object is missing$`)),
      `local: ${keys.after}: no record names this object`,
    ].sort((a, b) => (String(a) < String(b) ? -1 : 1)),
  );
  expect([code, complaint]).toEqual([1, '1 objects are not as their records say']);
});

test('an object of another size is named', async () => {
  writeFileSync(join(dataDir, 'storage', 'public', keys.before), 'cut');

  expect((await run('storage:verify')).printed).toMatch(
    RegExp(`local: ${keys.before}: file \\w+: the object has another size than its record`),
  );
});

test('the audit log says that its end was set back, and goes on', async () => {
  const kept = (table: string) => join(dataDir, `audit-log-${table}-end.json`);
  const without = await run('audit:verify', '--month', month);
  copyFileSync(kept('backend-local'), kept(restored));
  const withEnd = await run('audit:verify', '--month', month);
  const digest = await run('audit:digest');

  expect(without.code).toBe(1);
  expect(without.complaint).toContain('no end is kept outside of the table');
  expect([withEnd.code, withEnd.complaint]).toEqual([1, expect.stringContaining('was set back')]);
  expect(digest).toMatchObject({ code: 0, printed: expect.stringMatching(/^Digest until .+ entries$/m) });
});
