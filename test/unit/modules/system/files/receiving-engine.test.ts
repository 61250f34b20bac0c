import { beforeAll, expect, jest, test } from '@jest/globals';
import { findDynoxide } from '#cli/local/dynamodb/dynoxide.ts';
import { readOffset, receivePart } from '#modules/System/files/uploads/parts.ts';
import { encryptTicket } from '#modules/System/files/uploads/ticket.ts';
import { completeDirect } from '#modules/System/files/uploads/upload-complete.ts';
import { beginUpload } from '#modules/System/files/uploads/upload-record.ts';
import { createLocalEngine } from '#shared/storage/engines/local/engine.ts';
import { linkStorage, openFolders } from '#shared/storage/engines/local/folders.ts';
import { type EngineName, engines, receivingEngines } from '#shared/storage/engines.ts';
import { createObjectPath } from '#shared/storage/naming/object-path.ts';
import { useDatabase } from '../../../../support/database.ts';
import { createTempDir } from '../../../../support/local-server.ts';

useDatabase(findDynoxide() ? 'dynoxide' : 'dynamodb-local');

const text = Buffer.from('some text');
const uploader = { kind: 'user', id: 'u1' } as const;

/** The ticket of a direct upload to an engine. */
async function begin(engine: EngineName): Promise<string> {
  const key = createObjectPath({ type: 'file', ext: 'txt' });
  const file = { type: 'file', ext: 'txt', name: 'a.txt', mime: 'text/plain', size: text.length } as const;
  const place = { cid: null, module: '', tag: '' };
  const upload = await beginUpload({ ...place, ...file, key, uri: key, engine, uploader }, 60);
  return encryptTicket(upload.file.id);
}

// Another engine that writes to a folder stands in the place of qiniu's.
const folder = createTempDir();
linkStorage(folder);
const other = createLocalEngine(openFolders(folder));
beforeAll(() => {
  jest.spyOn(engines.qiniu, 'open').mockResolvedValue(other);
  receivingEngines.push('qiniu');
});

test("parts go to the file's own engine", async () => {
  const ticket = await begin('qiniu');

  const received = await receivePart(ticket, 0, text);
  const file = await completeDirect(ticket, uploader, { strip_location: true });

  expect(received).toBe(text.length);
  expect(await readOffset(ticket)).toBe(text.length);
  expect(file).toMatchObject({ name: 'a.txt', size: text.length });
});

test('an engine that clients send files to takes no parts', async () => {
  const ticket = await begin('aliyun');

  await expect(receivePart(ticket, 0, text)).rejects.toMatchObject({ code: 'upload.ticket_invalid' });
  await expect(readOffset(ticket)).rejects.toMatchObject({ code: 'upload.ticket_invalid' });
});
