import './impatient-engines.ts';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { cleanUpUploads } from '#modules/System/files/uploads/clean-up.ts';
import { completeDirect } from '#modules/System/files/uploads/upload-complete.ts';
import { type StartedUpload, startDirect } from '#modules/System/files/uploads/upload-direct.ts';
import { uploadForm } from '#modules/System/files/uploads/upload-form.ts';
import { uploadPartitions } from '#modules/System/files/uploads/upload-record.ts';
import { readUploadSettings } from '#modules/System/files/uploads/upload-rules.ts';
import system from '#modules/System/module.ts';
import { getItem, queryPage } from '#shared/db/items.ts';
import { listPartitions } from '#shared/db/paging/spread-index.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { ReceivedFile } from '#shared/schema/received-file.ts';
import { findGroup } from '#shared/settings/save.ts';
import { writeValues } from '#shared/settings/store.ts';
import { openEngine } from '#shared/storage/engines.ts';
import { postDirectly } from '../../../../contract/storage/post-directly.ts';
import { type Cloud, clouds, type Trouble, troubles } from '../../../../doubles/clouds.ts';
import { validFiles } from '../../../../fixtures/hostile/files.ts';
import { useDatabase } from '../../../../support/database.ts';
import { keys } from '../../../../support/keys.ts';
import { setPatience } from './impatient-engines.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');
jest.spyOn(console, 'warn').mockReturnValue();

const uploader = { kind: 'user', id: 'u1' } as const;
const place = { cid: null, module: '', tag: '' };
// An Office file needs most reads: its head, its directory and two of its parts.
const bytes = validFiles.docx;
const declared = { type: 'file', name: 'a.docx', sizeBytes: bytes.length };
const names = ['aliyun', 'qcloud', 'qiniu', 's3'] as const;

const running = new Map<string, Cloud>();

beforeAll(async () => {
  for (const name of names) {
    const cloud = await clouds[name]();
    running.set(name, cloud);
    await writeValues(findGroup(system.configs ?? [], name), cloud.settings);
  }
});

afterAll(() => Promise.all([...running.values()].map(({ stop }) => stop())));

function cloudOf(name: string): Cloud {
  const cloud = running.get(name);
  if (!cloud) throw new Error(`no cloud is named ${name}`);
  return cloud;
}

const choose = (name: string) => writeValues(findGroup(system.configs ?? [], 'storage'), { default: name });

async function list(kind: 'FILE' | 'UPLOAD') {
  const partitions = kind === 'UPLOAD' ? listPartitions(kind, uploadPartitions) : [kind];
  const pages = partitions.map((partition) =>
    queryPage({
      IndexName: 'gsi1',
      KeyConditionExpression: 'gsi1pk = :pk',
      ExpressionAttributeValues: { ':pk': partition },
    }),
  );
  return (await Promise.all(pages)).flatMap(({ items }) => items);
}

/** Uploads the file by form. */
const upload = async () =>
  uploadForm(
    { type: 'file', file: new ReceivedFile(declared.name, bytes), ...place, uploader, guestAddress: null },
    await readUploadSettings(),
  );

test.each(['ftp', 'LOCAL'])('a stored name that is not an engine stores nothing: %s', async (word) => {
  await choose(word);

  expect(await endOf(upload())).toBe('storage.not_configured');
  expect(await list('UPLOAD')).toEqual([]);
});

const cleanUpAll = () => cleanUpUploads({ now: new Date(Date.now() + 7_200_000) });
const hash = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

/** The outcome: `done` or the code of the failure. */
async function endOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

async function begin(): Promise<StartedUpload> {
  const ticket = await startDirect({ ...declared, ...place, uploader }, await readUploadSettings());
  expect((await postDirectly(ticket, bytes)).status).toBeLessThan(300);
  return ticket;
}

function disturb(cloud: Cloud, trouble: Trouble, isDue: (index: number) => boolean): void {
  setPatience(trouble === 'hangs' ? 200 : undefined);
  cloud.disturb(trouble, isDue);
}

function calm(cloud: Cloud): number {
  setPatience(undefined);
  return cloud.calm();
}

/** Repeats a work, each time with another of its requests failing, until all have failed once. */
async function disturbEach(
  cloud: Cloud,
  trouble: Trouble,
  work: () => Promise<unknown>,
  check: (end: string) => Promise<void>,
): Promise<void> {
  let isUndisturbed = false;
  for (let at = 0; !isUndisturbed; at += 1) {
    disturb(cloud, trouble, (index) => index === at);
    const end = await endOf(work());
    isUndisturbed = calm(cloud) <= at && end === 'done';
    if (!isUndisturbed) await check(end);
    else expect(at).toBeGreaterThan(0);
  }
}

const cases = names.flatMap((name) => troubles.map((trouble) => [name, trouble] as const));

describe.each(cases)('an upload to %s, if a request %s,', (name, trouble) => {
  beforeAll(() => choose(name));

  test('by form leaves nothing or a whole file', async () => {
    const cloud = cloudOf(name);
    const holds = cloud.keys();
    const recorded = (await list('FILE')).length;

    let wholes = 0;
    const check = async (end: string) => {
      // A repeatable request is sent again if its answer was lost.
      expect(['storage.unavailable', 'done']).toContain(end);
      if (end === 'done') wholes += 1;
      // A stored object is removed at once; the clean-up only deletes the upload.
      expect(cloud.keys()).toHaveLength(holds.length + wholes);
      expect((await cleanUpAll()).failed).toBe(0);
      expect(cloud.keys()).toHaveLength(holds.length + wholes);
      expect(await list('FILE')).toHaveLength(recorded + wholes);
      expect(await list('UPLOAD')).toEqual([]);
    };
    await disturbEach(cloud, trouble, upload, check);
    await check('done');
  });

  test('by form leaves its upload to the clean-up if the cloud stays unreachable', async () => {
    const cloud = cloudOf(name);
    const holds = cloud.keys();
    disturb(cloud, trouble, () => true);

    expect(await endOf(upload())).toBe('storage.unavailable');
    expect(await list('UPLOAD')).toHaveLength(1);
    calm(cloud);
    expect(await cleanUpAll()).toEqual({ cleaned: 1, failed: 0 });
    expect(cloud.keys()).toEqual(holds);
  });

  test('directly can be completed afterwards, and is recorded once', async () => {
    const cloud = cloudOf(name);

    const recorded = (await list('FILE')).length;
    const { ticket } = await begin();
    await disturbEach(
      cloud,
      trouble,
      () => completeDirect(ticket, uploader, { strip_location: true }),
      async (end) => {
        expect(['storage.unavailable', 'done']).toContain(end);
        expect(await list('FILE')).toHaveLength(end === 'done' ? recorded + 1 : recorded);
      },
    );
    const record = await completeDirect(ticket, uploader, { strip_location: true });

    expect(await list('FILE')).toHaveLength(recorded + 1);
    const item = await getItem(keys.file(record.id));
    const stored = await (await openEngine(name)).readRange(String(item?.key), 0, bytes.length);
    expect(hash(stored)).toBe(hash(bytes));
    const holds = cloud.keys();
    expect(await cleanUpAll()).toEqual({ cleaned: 1, failed: 0 });
    // The clean-up removes the staged object, and keeps the file.
    expect(cloud.keys()).toContain(String(item?.key));
    expect(cloud.keys().length).toBeLessThanOrEqual(holds.length);
  });

  test('directly is cleaned up if not completed, when the cloud is back', async () => {
    const cloud = cloudOf(name);
    const holds = cloud.keys();
    const recorded = (await list('FILE')).length;
    const { ticket } = await begin();
    disturb(cloud, trouble, () => true);

    const end = await endOf(completeDirect(ticket, uploader, { strip_location: true }));
    const cleaned = await cleanUpAll();
    calm(cloud);

    expect(end).toBe('storage.unavailable');
    expect(cleaned).toEqual({ cleaned: 0, failed: 1 });
    expect((await list('FILE')).length).toBe(recorded);
    const later = new Date(Date.now() + 7_200_000 + 3_700_000);
    expect(await cleanUpUploads({ now: later })).toEqual({ cleaned: 1, failed: 0 });
    expect(cloud.keys()).toEqual(holds);
  });
});
