import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { cleanUpUploads } from '#modules/System/files/uploads/clean-up.ts';
import { receivePart } from '#modules/System/files/uploads/parts.ts';
import { completeDirect } from '#modules/System/files/uploads/upload-complete.ts';
import { startDirect } from '#modules/System/files/uploads/upload-direct.ts';
import { uploadForm } from '#modules/System/files/uploads/upload-form.ts';
import { beginUpload, findUpload, type Upload } from '#modules/System/files/uploads/upload-record.ts';
import { readUploadSettings } from '#modules/System/files/uploads/upload-rules.ts';
import { deleteItem, getItem } from '#shared/db/items.ts';
import { ReceivedFile } from '#shared/schema/received-file.ts';
import { linkStorage } from '#shared/storage/engines/local/folders.ts';
import { type EngineName, engines } from '#shared/storage/engines.ts';
import { createObjectPath } from '#shared/storage/naming/object-path.ts';
import { useDatabase } from '../../../../support/database.ts';
import { keys } from '../../../../support/keys.ts';
import { createTempDir } from '../../../../support/local-server.ts';

const storageDir = createTempDir();
process.env.STORAGE_DIR = storageDir;
linkStorage(storageDir);
useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

const uploader = { kind: 'user', id: 'u1' } as const;
const place = { cid: null, module: '', tag: '' };
const text = Buffer.from('some text');

const [ticketSeconds, graceSeconds, retrySeconds] = [3600, 900, 3600];
const secondsAfter = ({ expires_at }: Upload, seconds: number) => new Date((expires_at + seconds) * 1000);
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);
/** A time at which every upload of these tests has expired. */
const inTheEnd = () => later(ticketSeconds + graceSeconds + 60);

const listFiles = () =>
  readdirSync(join(storageDir, 'storage'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

/** A direct upload with a number of received bytes. */
async function begin(sentBytes = 0): Promise<Upload & { ticket: string }> {
  const declared = { type: 'file', name: 'a.txt', sizeBytes: text.length };
  const { ticket } = await startDirect({ ...declared, ...place, uploader }, await readUploadSettings());
  if (sentBytes > 0) await receivePart(ticket, 0, text.subarray(0, sentBytes));
  return { ...(await findUpload(ticket)), ticket };
}

/** An upload that has begun, with nothing stored. */
function note(engine: EngineName): Promise<Upload> {
  const key = createObjectPath({ type: 'file', ext: 'txt' });
  const described = {
    type: 'file',
    ext: 'txt',
    name: 'a.txt',
    mime: 'text/plain',
    size: text.length,
  } as const;
  return beginUpload({ ...place, ...described, key, uri: key, engine, uploader }, 60);
}

const isNoted = async ({ file }: Upload) => (await getItem(keys.upload(file.id))) !== undefined;
const isRecorded = async ({ file }: Upload) => (await getItem(keys.file(file.id))) !== undefined;

/** Stores a part as from a client that was too late. */
function leavePart({ file }: Upload): void {
  const folder = join(storageDir, 'storage', 'parts', basename(file.key));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '0'), text);
}

afterEach(() => cleanUpUploads({ now: inTheEnd() }));

describe('the clean-up removes', () => {
  test.each([
    ['nothing was sent of', 0],
    ['a part was sent of', 4],
    ['all was sent of', text.length],
  ])('an upload that %s, once its ticket is over', async (_title, sentBytes) => {
    const before = listFiles();
    const upload = await begin(sentBytes);

    expect(await cleanUpUploads({ now: inTheEnd() })).toEqual({ cleaned: 1, failed: 0 });

    expect(await isNoted(upload)).toBe(false);
    expect(await isRecorded(upload)).toBe(false);
    expect(listFiles()).toEqual(before);
  });

  test('only what arrived after the completion of an upload', async () => {
    const upload = await begin(text.length);
    const record = await completeDirect(upload.ticket, uploader, { strip_location: true });
    leavePart(upload);

    expect(await cleanUpUploads({ now: inTheEnd() })).toEqual({ cleaned: 1, failed: 0 });

    expect(await isNoted(upload)).toBe(false);
    expect(await getItem(keys.file(record.id))).toMatchObject({ uri: record.uri });
    expect(listFiles().filter((name) => name === basename(upload.file.key))).toHaveLength(1);
    expect(listFiles()).not.toContain('0');
    const stored = await (await engines.local.open()).readRange(upload.file.key, 0, 100);
    expect(Buffer.compare(stored, text)).toBe(0);
  });

  test('what was sent again for an upload whose file is deleted', async () => {
    const before = listFiles();
    const upload = await begin(text.length);
    await completeDirect(upload.ticket, uploader, { strip_location: true });
    await deleteItem(keys.file(upload.file.id));
    leavePart(upload);

    expect(await cleanUpUploads({ now: inTheEnd() })).toEqual({ cleaned: 1, failed: 0 });

    expect(await isNoted(upload)).toBe(false);
    expect(listFiles()).toEqual(before);
  });

  test('the object of a form whose function stopped before the record', async () => {
    const before = listFiles();
    const [stored, noted] = [await note('local'), await note('local')];
    await (await engines.local.open()).put(stored.file.key, text, 'text/plain');

    expect(await cleanUpUploads({ now: later(60 + graceSeconds + 5) })).toEqual({ cleaned: 2, failed: 0 });

    expect([await isNoted(stored), await isNoted(noted)]).toEqual([false, false]);
    expect(listFiles()).toEqual(before);
  });

  test('the temporary file of a stopped function, and no younger one', async () => {
    const [old, young] = ['draft-old', 'draft-young'].map((name) =>
      join(storageDir, 'storage', 'parts', name),
    );
    for (const file of [old, young]) writeFileSync(String(file), text);
    const longAgo = later(-graceSeconds - 60);
    utimesSync(String(old), longAgo, longAgo);

    expect(await cleanUpUploads()).toEqual({ cleaned: 0, failed: 0 });

    const left = listFiles();
    expect(left).not.toContain('draft-old');
    expect(left).toContain('draft-young');
    await cleanUpUploads({ now: inTheEnd() });
    expect(listFiles()).not.toContain('draft-young');
  });

  test('more uploads than one page, also twice at once', async () => {
    const before = listFiles();
    const uploads = await Promise.all(Array.from({ length: 60 }, () => note('local')));
    const engine = await engines.local.open();
    for (const { file } of uploads) await engine.put(file.key, text, 'text/plain');

    const outcomes = await Promise.all([
      cleanUpUploads({ now: inTheEnd() }),
      cleanUpUploads({ now: inTheEnd() }),
    ]);

    expect(outcomes.map(({ failed }) => failed)).toEqual([0, 0]);
    expect(outcomes.reduce((sum, { cleaned }) => sum + cleaned, 0)).toBeGreaterThanOrEqual(60);
    expect(await Promise.all(uploads.map(isNoted))).toEqual(Array(60).fill(false));
    expect(listFiles()).toEqual(before);
    expect(await cleanUpUploads({ now: inTheEnd() })).toEqual({ cleaned: 0, failed: 0 });
  });
});

describe('the clean-up keeps', () => {
  test.each([
    ['a direct upload', () => begin(4)],
    ['a form', () => note('local')],
  ])('%s until its time and that of the longest function is over', async (_title, start) => {
    const upload = await start();
    const [before, files] = [secondsAfter(upload, graceSeconds - 1), listFiles()];

    expect(await cleanUpUploads()).toEqual({ cleaned: 0, failed: 0 });
    expect(await cleanUpUploads({ now: before })).toEqual({ cleaned: 0, failed: 0 });
    expect(await isNoted(upload)).toBe(true);
    expect(listFiles()).toEqual(files);

    const after = secondsAfter(upload, graceSeconds + 1);
    expect(await cleanUpUploads({ now: after })).toEqual({ cleaned: 1, failed: 0 });
  });

  test('uploads that run at the same time', async () => {
    const files = Array.from({ length: 5 }, (_, index) => new ReceivedFile(`${index}.txt`, text));

    const [forms, completed] = await Promise.all([
      Promise.all(
        files.map(async (file) =>
          uploadForm(
            { type: 'file', file, ...place, uploader, guestAddress: null },
            await readUploadSettings(),
          ),
        ),
      ),
      Promise.all(
        files.map(async () =>
          completeDirect((await begin(text.length)).ticket, uploader, { strip_location: true }),
        ),
      ),
      ...files.map(() => cleanUpUploads()),
    ]);
    await cleanUpUploads({ now: inTheEnd() });

    const names = listFiles();
    for (const { id, uri } of [...forms, ...completed]) {
      expect(await getItem(keys.file(id))).toBeDefined();
      expect(names).toContain(basename(String(uri)));
    }
  });

  test('uploads whose engine fails for an hour, and continues with the others', async () => {
    const [first, failing, last] = [await note('local'), await note('qiniu'), await note('local')];
    const now = inTheEnd();

    expect(await cleanUpUploads({ now })).toEqual({ cleaned: 2, failed: 1 });
    expect([await isNoted(first), await isNoted(failing), await isNoted(last)]).toEqual([false, true, false]);

    const seconds = Math.floor(now.getTime() / 1000) + retrySeconds;
    expect(await cleanUpUploads({ now })).toEqual({ cleaned: 0, failed: 0 });
    expect(await cleanUpUploads({ now: new Date((seconds - 1) * 1000) })).toEqual({ cleaned: 0, failed: 0 });
    expect(await cleanUpUploads({ now: new Date((seconds + 1) * 1000) })).toEqual({ cleaned: 0, failed: 1 });
    await deleteItem(keys.upload(failing.file.id));
  });

  test('the rest when its time is over', async () => {
    const uploads = [await note('local'), await note('local'), await note('local')];
    let asked = 0;

    const outcome = await cleanUpUploads({ now: inTheEnd(), isOver: () => asked++ >= 2 });

    expect(outcome).toEqual({ cleaned: 2, failed: 0 });
    const noted = await Promise.all(uploads.map(isNoted));
    expect(noted.filter(Boolean)).toHaveLength(1);
    expect(await cleanUpUploads({ now: inTheEnd(), isOver: () => true })).toEqual({ cleaned: 0, failed: 0 });
  });
});
