import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createObjectPath } from '#shared/storage/naming/object-path.ts';
import { openWith } from '../contract/storage/open-with.ts';
import { clouds } from '../doubles/clouds.ts';
import { validFiles } from '../fixtures/hostile/files.ts';
import { createTempDir, projectRoot } from '../support/local-server.ts';
import { runService } from '../support/run-service.ts';
import { useRunning } from '../support/use-running.ts';
import { useServer } from '../support/use-server.ts';
import { createDirect, field, filePart, sendForm, useCallers } from './upload-fixture.ts';

// The commands of storage on a local installation with a bucket of S3 and one of COS.

const dataDir = createTempDir();
const used = useServer({ dataDir });
const { admin: root, saveSettings: save } = used;
const { admin } = useCallers(used);
const s3 = useRunning(clouds.s3, ({ stop }) => stop());
const qcloud = useRunning(clouds.qcloud, ({ stop }) => stop());
const { png } = validFiles;

const run = (...args: string[]) =>
  runService(projectRoot, { DATA_DIR: dataDir, ALLOW_PRIVATE_ENDPOINTS: '1' }, ...args);
const listLocal = () =>
  readdirSync(join(dataDir, 'storage'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
const send = (visibility: string) =>
  sendForm(admin, [field('type', 'image'), field('visibility', visibility), filePart('a.png', png)]);
const read = async (id: string) => {
  const { url } = (await root.get(`/adminapi/system/file/url?id=${id}`)).data;
  const response = await fetch(url);
  return { host: new URL(url).host, bytes: Buffer.from(await response.arrayBuffer()), url };
};

const listAll = (engine: string) => (engine === 'local' ? listLocal() : s3.keys());

test('files move to S3 and on to another cloud, and private ones stay private', async () => {
  const files = [await send('public'), await send('private'), await send('private')].map(({ data }) => data);
  const clouds = [s3, qcloud];
  for (const { name, settings, privateSettings } of clouds)
    await save(name, { ...settings, ...privateSettings });

  for (const [from, to] of [
    ['local', s3],
    ['s3', qcloud],
  ] as const) {
    await save('storage', { default: to.name });
    // Smaller versions of a private picture and of a public one: they are no files, and are not moved.
    for (const { id } of files.slice(0, 2)) {
      const { url } = (await root.get(`/adminapi/system/file/url?id=${id}&size=thumb`)).data;
      expect((await fetch(url)).status).toBe(200);
    }
    expect([await run('storage:verify'), listAll(from).length]).toMatchObject([{ code: 0 }, 5]);
    const moved = await run('storage:migrate', '--from', from, '--to', to.name, '--delete-source');

    expect([moved.code, moved.printed]).toEqual([0, expect.stringMatching(/^Moved 3 files/)]);
    expect(to.keys()).toHaveLength(3);
    for (const { id, visibility, url: before } of files) {
      const { data } = await root.get(`/adminapi/system/file/detail?id=${id}`);
      expect([data.visibility, data.url === null]).toEqual([visibility, visibility === 'private']);
      expect(data.url === null || data.url !== before).toBe(true);
      const found = await read(id);
      expect(found.bytes.equals(png)).toBe(true);
      const open = await fetch(found.url.split('?')[0]);
      expect(open.status === 200).toBe(visibility === 'public');
    }
    expect(await run('storage:verify')).toMatchObject({ code: 0 });
  }
  expect([listLocal(), s3.keys()]).toEqual([[], []]);
});

test('a private file is not moved if the other engine has no bucket for it', async () => {
  const cleared = Object.fromEntries(Object.keys(s3.privateSettings).map((name) => [name, '']));
  await save('s3', cleared);

  const refused = await run('storage:migrate', '--from', 'qcloud', '--to', 's3');

  expect([refused.code, refused.printed]).toEqual([1, 'Moved 1 files, 0.0 MiB; 2 failed']);
  expect(s3.keys()).toHaveLength(1);
  await save('s3', s3.privateSettings);
  expect(await run('storage:migrate', '--from', 'qcloud', '--to', 's3', '--delete-source')).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/^Moved 2 files.*source copies of 1 moved before$/),
  });
  expect([qcloud.keys(), s3.keys().length]).toEqual([[], 3]);
});

test('objects without a record are named, and deleted after a question; uploads under way stay', async () => {
  await save('storage', { default: 's3' });
  const bucket = await openWith('s3', { ...s3.settings, ...s3.privateSettings });
  const before = new Date(Date.now() - 3 * 86_400_000);
  const orphans = (['public', 'private', 'public'] as const).map((visibility) =>
    createObjectPath({ type: 'file', ext: 'txt', visibility }, before),
  );
  const young = createObjectPath({ type: 'file', ext: 'txt' });
  for (const key of [...orphans, young]) await bucket.put(key, Buffer.from('left'), 'text/plain');
  const open = await createDirect(admin).start('image', 'b.png', png.length);
  await fetch(open.url, { method: 'PUT', headers: open.headers, body: new Uint8Array(png) });
  expect(s3.keys()).toHaveLength(8);

  const named = await run('storage:verify');
  const asked = await run('storage:verify', '--delete-orphans');
  const kept = s3.keys().length;
  const deleted = await run('storage:verify', '--delete-orphans', '--yes');

  for (const key of orphans) expect(named.printed).toContain(`s3: ${key}: no record names this object`);
  expect(named.printed).toContain('4 objects without a record');
  expect([asked.code, asked.complaint]).toEqual([1, expect.stringContaining('Add --yes')]);
  expect(kept).toBe(8);
  expect([deleted.code, deleted.printed]).toEqual([0, expect.stringMatching(/Deleted 3 objects$/)]);
  // The young one may belong to a migration.
  expect(s3.keys()).toHaveLength(5);
  expect(s3.keys()).toContain(young);
  expect((await createDirect(admin).complete(open.ticket)).status).toBe(200);
  expect(await run('storage:verify')).toMatchObject({ code: 0 });
  const { data } = await root.get('/adminapi/system/audit/list?action=cli/storage:verify');
  expect(data.list).toHaveLength(1);
  expect(JSON.stringify(data.list)).toContain(orphans[0]);
});
