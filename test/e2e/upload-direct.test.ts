import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { postDirectly } from '../contract/storage/post-directly.ts';
import { validFiles } from '../fixtures/hostile/files.ts';
import { activeSvgs } from '../fixtures/hostile/svgs.ts';
import { outcome, paths } from '../support/answers.ts';
import type { Answer } from '../support/client.ts';
import { projectRoot } from '../support/local-server.ts';
import { readStack, setAttribute } from '../support/table.ts';
import { useSharedServer } from '../support/use-server.ts';
import {
  createDirect,
  createForm,
  field,
  filePart,
  megabyte,
  openTable,
  pad,
  type Ticket,
  type Traces,
  useCallers,
} from './upload-fixture.ts';

const partSize = 4_194_304;
const { png, mp4, zip } = validFiles;

let before: Traces;

const used = useSharedServer();
const { server, client, admin } = used;
const callers = useCallers(used);
const table = openTable(server);
const direct = createDirect(callers.user);

beforeEach(async () => {
  before = await table.traces();
});

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function readStored(answer: Answer): Buffer {
  const { pathname } = new URL(answer.data.url);
  return readFileSync(join(server.dataDir, 'storage/public', pathname.slice('/storage/'.length)));
}

function sendPart(ticket: Ticket, offset: number | string, bytes: string | Uint8Array): Promise<Answer> {
  const fields = Object.entries(ticket.fields).map(([name, value]) => field(name, value));
  const form = [...fields, field('offset', String(offset)), filePart('blob', bytes, ticket.file_field)];
  const { body, headers } = createForm(form);
  const { pathname, search } = new URL(ticket.url);
  return client.post(pathname + search, body, { headers: { ...headers, ...ticket.headers } });
}

function readOffset({ url }: Ticket): Promise<Answer> {
  const { pathname, search } = new URL(url);
  return client.get(pathname + search);
}

/** A unique file. */
const someText = (length: number) => Buffer.alloc(length, randomBytes(18).toString('base64'));

const isAlone = (added: Partial<Traces>) => ({
  objects: before.objects + (added.objects ?? 0),
  files: before.files + (added.files ?? 0),
  uploads: before.uploads + (added.uploads ?? 0),
});

describe('a direct upload', () => {
  test.each([
    ['file', 'a.txt', Buffer.from('a')],
    ['image', 'a.png', pad(png, 5 * megabyte)],
    ['file', 'a.md', someText(20 * megabyte)],
    ['video', 'a.mp4', pad(mp4, 50 * megabyte)],
  ])('accepts the smallest and the largest %s, %s', async (type, name, bytes) => {
    const answer = await direct.upload(type, name, bytes, { module: 'shop', tag: 't', cid: 0 });

    const uploader = { kind: 'user', id: callers.user.id };
    const data = { type, name, size: bytes.length, module: 'shop', tag: 't', cid: null, uploader };
    expect(answer).toMatchObject({ status: 200, data });
    expect(hash(readStored(answer))).toBe(hash(bytes));
    expect(await table.traces()).toEqual(isAlone({ objects: 1, files: 1, uploads: 1 }));
  });

  test('answers all that a client needs, and no secret of the caller', async () => {
    const since = Date.now();
    const ticket = await createDirect(callers.admin).start('video', 'a.mp4', 9_000_000);
    const until = Date.now();

    expect(new URL(ticket.url).origin).toBe(`http://localhost:${new URL(server.url).port}`);
    expect(ticket).toMatchObject({ method: 'POST', part_size: partSize, file_field: 'file' });
    expect(JSON.stringify(ticket)).not.toContain(callers.admin.client.token);
    const end = Date.parse(ticket.expires_at) - 3_600_000;
    expect(end).toBeGreaterThan(since - 1000);
    expect(end).toBeLessThanOrEqual(until);
    expect(ticket.ticket).not.toContain('mp4');
  });

  test('belongs to the caller who began it', async () => {
    for (const kind of ['admin', 'user'] as const) {
      const { id } = callers[kind];
      const answer = await createDirect(callers[kind]).upload('image', 'a.png', png);
      expect(answer).toMatchObject({ status: 200, data: { uploader: { kind, id } } });
    }
  });

  test('is not for guests, who have a budget of bytes', async () => {
    const asGuest = createDirect(callers.guest);
    const declared = { type: 'image', name: 'a.png', size: png.length };

    expect(outcome(await asGuest.ask(declared))).toBe('403 upload.guest_denied');
    expect(outcome(await asGuest.ask({ ...declared, size: 50 * megabyte }))).toBe('403 upload.guest_denied');
    expect(await table.traces()).toEqual(before);
  });

  test.each<[string, object, string]>([
    ['size: 0', { size: 0 }, '422 upload.empty'],
    ['size: -1', { size: -1 }, 'body.size'],
    ['size: 1.5', { size: 1.5 }, 'body.size'],
    ['size: 2 ** 53', { size: 2 ** 53 }, 'body.size'],
    ['size: 10', { size: '10' }, 'body.size'],
    ['size: null', { size: null }, 'body.size'],
    ['no size', { size: undefined }, 'body.size'],
    ['no name', { name: undefined }, 'body.name'],
    ['an endless name', { name: 'a'.repeat(30_000) }, 'body.name'],
    ['no type', { type: undefined }, 'body.type'],
    ['type: audio', { type: 'audio' }, '422 upload.type_unknown'],
    ['type: constructor', { type: 'constructor' }, '422 upload.type_unknown'],
    ['name: a.png.exe', { name: 'a.png.exe' }, '422 upload.extension_not_allowed'],
    ['NUL behind a name', { name: 'a.png\0' }, '422 upload.extension_not_allowed'],
    ['an empty name', { name: '' }, '422 upload.extension_not_allowed'],
    ['cid: 01ARZ3NDEKTSV4RRFFQ69G5FAV', { cid: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 'body.cid'],
    ['cid: 1', { cid: 1 }, 'body.cid'],
    ['module: A', { module: 'A' }, 'body.module'],
    ['tag: 1', { tag: 1 }, 'body.tag'],
    ['key: uploads/image/x.png', { key: 'uploads/image/x.png' }, 'body.key'],
  ])('is not begun with %s', async (_title, fields, refusal) => {
    const answer = await direct.ask({ type: 'image', name: 'a.png', size: 100, ...fields });

    if (refusal.startsWith('body.')) expect(paths(answer)).toEqual([refusal]);
    expect(outcome(answer)).toBe(refusal.startsWith('body.') ? '422 request.invalid' : refusal);
    expect(await table.traces()).toEqual(before);
  });
});

describe('the parts of a file', () => {
  const bytes = pad(mp4, 2 * partSize + 100);
  const partOf = (index: number) => bytes.subarray(index * partSize, (index + 1) * partSize);
  const [first, second, third] = [partOf(0), partOf(1), partOf(2)];

  test('continue at the last offset', async () => {
    const ticket = await direct.start('video', 'a.mp4', bytes.length);
    const offsets = [];
    for (let offset = 0; offset < bytes.length; offset = Number(offsets.at(-1))) {
      await sendPart(ticket, offset, bytes.subarray(offset, offset + partSize));
      offsets.push((await readOffset(ticket)).data.offset);
    }
    const answer = await direct.complete(ticket.ticket);

    expect(offsets).toEqual([partSize, 2 * partSize, bytes.length]);
    expect(hash(readStored(answer))).toBe(hash(bytes));
    expect((await readOffset(ticket)).data).toEqual({ offset: bytes.length });
  });

  test('may be repeated, before and after the end', async () => {
    const ticket = await direct.start('video', 'a.mp4', bytes.length);
    const answers = [
      await sendPart(ticket, 0, first),
      await sendPart(ticket, 0, first),
      await sendPart(ticket, partSize, second),
      await sendPart(ticket, 0, first),
      await sendPart(ticket, 2 * partSize, third),
    ];
    const completed = await direct.complete(ticket.ticket);
    const again = await sendPart(ticket, 2 * partSize, third);
    const other = await sendPart(ticket, 2 * partSize, 'x'.repeat(100));

    const offsets = [partSize, partSize, 2 * partSize, 2 * partSize, bytes.length];
    expect(answers.map(({ data }) => data)).toEqual(offsets.map((offset) => ({ offset })));
    expect([again, other].map(outcome)).toEqual(['200 ok', '409 upload.offset_conflict']);
    expect(hash(readStored(completed))).toBe(hash(bytes));
    expect(await table.traces()).toEqual(isAlone({ objects: 1, files: 1, uploads: 1 }));
  });

  test.each([
    ['ahead of what is there', 1, second],
    ['far ahead', 2 * partSize, third],
  ])('are refused %s, with the expected offset', async (_title, offset, part) => {
    const ticket = await direct.start('video', 'a.mp4', bytes.length);

    const answer = await sendPart(ticket, offset, part);

    expect(outcome(answer)).toBe('409 upload.offset_conflict');
    expect(answer.errors).toEqual([{ path: 'body.offset', message: '0' }]);
    expect(await table.traces()).toEqual(isAlone({ uploads: 1 }));
  });

  test('are refused if they differ from stored ones, which stay unchanged', async () => {
    const ticket = await direct.start('video', 'a.mp4', bytes.length);
    await sendPart(ticket, 0, first);

    const answers = [
      await sendPart(ticket, 0, pad(Buffer.from('x'), partSize)),
      await sendPart(ticket, 0, first.subarray(1)),
      await sendPart(ticket, partSize - 1, second),
    ];

    expect(answers.map(({ errors }) => errors[0]?.message)).toEqual(Array(3).fill(String(partSize)));
    await sendPart(ticket, partSize, second);
    await sendPart(ticket, 2 * partSize, third);
    expect(hash(readStored(await direct.complete(ticket.ticket)))).toBe(hash(bytes));
  });

  test('sent at the same time are stored once', async () => {
    const ticket = await direct.start('video', 'a.mp4', bytes.length);

    const answers = await Promise.all(Array.from({ length: 5 }, () => sendPart(ticket, 0, first)));

    expect(answers.map(outcome)).toEqual(Array(5).fill('200 ok'));
    expect(await table.traces()).toEqual(isAlone({ objects: 1, uploads: 1 }));
  });

  test('with different bytes at the same offset: one wins, complete', async () => {
    const files = Array.from({ length: 5 }, (_, index) => someText(200_000 + index * 1000));
    const size = 300_000;
    const ticket = await direct.start('file', 'a.txt', size);

    const answers = await Promise.all(files.map((part) => sendPart(ticket, 0, part)));
    const winner = files[answers.findIndex(({ status }) => status === 200)] ?? Buffer.alloc(0);
    const losers = answers.filter(({ status }) => status !== 200);
    const rest = someText(size - winner.length);
    await sendPart(ticket, winner.length, rest);
    const completed = await direct.complete(ticket.ticket);

    expect(losers.map(({ errors }) => errors[0]?.message)).toEqual(Array(4).fill(String(winner.length)));
    expect(hash(readStored(completed))).toBe(hash(Buffer.concat([winner, rest])));
  });

  test.each([
    ['larger than a part', 0, pad(mp4, partSize + 1), '413 request.too_large'],
    ['beyond the declared end', 2 * partSize, pad(third, 101), '409 upload.offset_conflict'],
    ['behind everything', 9_999_999_999, third, '409 upload.offset_conflict'],
    ['empty', 0, '', '422 upload.empty'],
    ['before the beginning', '-1', third, '422 request.invalid'],
    ['nowhere', '1e3', third, '422 request.invalid'],
  ] as const)('are refused that are %s', async (_title, offset, part, code) => {
    const ticket = await direct.start('video', 'a.mp4', bytes.length);

    expect(outcome(await sendPart(ticket, offset, part))).toBe(code);
    expect(await table.traces()).toEqual(isAlone({ uploads: 1 }));
  });

  test('beyond the declared end are refused', async () => {
    const small = await direct.start('file', 'a.txt', 10);

    expect(outcome(await sendPart(small, 0, 'x'.repeat(11)))).toBe('413 upload.too_large');
    expect(outcome(await sendPart(small, 0, 'x'.repeat(4)))).toBe('200 ok');
    const wrong = await sendPart(small, 2, 'x'.repeat(9));
    expect([outcome(wrong), wrong.errors[0]?.message]).toEqual(['409 upload.offset_conflict', '4']);
  });

  test('count for the ticket in the URL, not for one in the form', async () => {
    const [used, other] = [await direct.start('file', 'a.txt', 10), await direct.start('file', 'b.txt', 10)];
    const remaining = ({ headers }: { headers: Headers }) => Number(headers.get('ratelimit-remaining'));
    const first = remaining(await sendPart(used, 0, 'x'));
    const fresh = remaining(await sendPart(other, 0, 'x'));
    const parts = [field('ticket', used.ticket), field('offset', '0'), filePart('a', 'x')];
    const { body, headers } = createForm(parts);

    const path = '/api/system/upload/part';
    const second = remaining(await client.post(`${path}?ticket=${used.ticket}`, body, { headers }));
    const third = remaining(await client.post(`${path}?ticket=${other.ticket}`, body, { headers }));

    expect([second, third]).toEqual([first - 1, fresh - 1]);
  });

  test('come as a form', async () => {
    const { url, ticket } = await direct.start('video', 'a.mp4', bytes.length);
    const { pathname, search } = new URL(url);
    const { body, headers } = createForm([field('ticket', ticket), filePart('a', third)]);

    const answers = [
      await client.post(pathname + search, { ticket, offset: 0 }),
      await client.post(pathname + search, body, { headers }),
      await client.post(pathname + search, body.subarray(0, 300), { headers }),
    ];

    const refusals = ['415 request.unsupported_media_type', '422 request.invalid', '400 request.malformed'];
    expect(answers.map(outcome)).toEqual(refusals);
    expect(await table.traces()).toEqual(isAlone({ uploads: 1 }));
  });
});

describe('completing', () => {
  test('too early is refused, and the upload continues', async () => {
    const bytes = someText(partSize + 1);
    const ticket = await direct.start('file', 'a.txt', bytes.length);

    const without = await direct.complete(ticket.ticket);
    await sendPart(ticket, 0, bytes.subarray(0, partSize));
    const half = await direct.complete(ticket.ticket);
    await sendPart(ticket, partSize, bytes.subarray(partSize));
    const whole = await direct.complete(ticket.ticket);

    const early = '409 upload.incomplete';
    expect([without, half, whole].map(outcome)).toEqual([early, early, '200 ok']);
    expect(hash(readStored(whole))).toBe(hash(bytes));
  });

  test('repeatedly and ten times at once answers one record', async () => {
    const bytes = someText(2 * partSize + 5);
    for (let round = 0; round < 5; round += 1) {
      before = await table.traces();
      const ticket = await direct.start('file', 'a.txt', bytes.length);
      await postDirectly(ticket, bytes);

      const answers = await Promise.all(Array.from({ length: 10 }, () => direct.complete(ticket.ticket)));
      const again = await direct.complete(ticket.ticket);

      expect(answers.map(outcome)).toEqual(Array(10).fill('200 ok'));
      expect(answers.map(({ data }) => data)).toEqual(Array(10).fill(again.data));
      expect(hash(readStored(again))).toBe(hash(bytes));
      expect(await table.traces()).toEqual(isAlone({ objects: 1, files: 1, uploads: 1 }));
    }
  });

  test('is for the caller who began', async () => {
    const { admin, user, other, guest } = callers;
    for (const owner of [admin, user]) {
      const { ticket, ...rest } = await createDirect(owner).start('image', 'a.png', png.length);
      await postDirectly(rest, png);
      const strangers = [other, guest, user, admin].filter((each) => each !== owner);
      const outcomes = [];
      for (const caller of [...strangers, owner])
        outcomes.push(outcome(await createDirect(caller).complete(ticket)));

      expect(outcomes).toEqual([...Array(3).fill('409 upload.ticket_invalid'), '200 ok']);
    }
  });

  test.each<[string, (ticket: string) => string, string]>([
    ['a word', () => 'ticket', '409 upload.ticket_invalid'],
    ['nothing', () => '', '422 request.invalid'],
    ['an endless word', () => 'A'.repeat(600), '422 request.invalid'],
    ['a longer one', (ticket) => `${ticket}AAAA`, '409 upload.ticket_invalid'],
    ['a shorter one', (ticket) => ticket.slice(0, -4), '409 upload.ticket_invalid'],
    ['a changed one', (ticket) => change(ticket, 30), '409 upload.ticket_invalid'],
    ['one with another authentication tag', (ticket) => change(ticket, 2), '409 upload.ticket_invalid'],
    ['a login', () => callers.user.client.token, '409 upload.ticket_invalid'],
  ])('and sending parts are refused with %s as the ticket', async (_title, forge, code) => {
    const ticket = await direct.start('image', 'a.png', png.length);
    const forged = forge(ticket.ticket);
    const url = ticket.url.replace(/ticket=.*/, `ticket=${encodeURIComponent(forged)}`);
    const asked = { ...ticket, url, fields: { ticket: forged } };

    const answers = [await direct.complete(forged), await sendPart(asked, 0, png), await readOffset(asked)];

    expect(answers.map(outcome)).toEqual(Array(3).fill(code));
    expect(await table.traces()).toEqual(isAlone({ uploads: 1 }));
  });

  test('and sending parts end when the ticket expires, after an hour', async () => {
    const ticket = await direct.start('image', 'late.png', png.length);
    const sent = await direct.start('image', 'sent.png', png.length);
    await postDirectly(sent, png);
    for (const item of await table.list('UPLOAD')) {
      const isMine = ['late.png', 'sent.png'].includes(Object(item.file).name);
      if (isMine) await setAttribute(server, item, 'expires_at', Math.floor(Date.now() / 1000));
    }

    const answers = [
      await sendPart(ticket, 0, png),
      await readOffset(ticket),
      await direct.complete(ticket.ticket),
      await direct.complete(sent.ticket),
    ];

    expect(answers.map(outcome)).toEqual(Array(4).fill('409 upload.ticket_invalid'));
    expect((await table.traces()).files).toBe(before.files);
  });

  test('is refused after the file is deleted', async () => {
    const ticket = await direct.start('image', 'a.png', png.length);
    await postDirectly(ticket, png);
    const { id } = (await direct.complete(ticket.ticket)).data;

    const deleted = await admin.post('/adminapi/system/file/delete', { ids: [id] });
    const again = await direct.complete(ticket.ticket);
    await postDirectly(ticket, png);
    const resent = await direct.complete(ticket.ticket);

    expect(deleted).toMatchObject({ status: 200, data: { deleted: 1, failed: [] } });
    expect([again, resent].map(outcome)).toEqual(Array(2).fill('409 upload.ticket_invalid'));
    expect((await table.traces()).files).toBe(before.files);
  });
});

test('uploads are throttled by caller, parts by ticket', async () => {
  const ticket = await direct.start('image', 'a.png', png.length);
  const asGuest = createDirect(callers.guest);
  const answers = [
    await direct.complete(ticket.ticket),
    await direct.ask({}),
    await asGuest.complete(ticket.ticket),
    await asGuest.ask({}),
    await sendPart(ticket, 0, png),
    await readOffset(ticket),
  ];

  // A thousand times the real limit.
  const limits = [60_000, 60_000, 10_000, 10_000, 600_000, 600_000];
  expect(answers.map(({ headers }) => Number(headers.get('ratelimit-limit')))).toEqual(limits);
});

test('the scheduled clean-up removes expired uploads and nothing else', async () => {
  const kept = await direct.upload('image', 'kept.png', png);
  const over = await direct.start('image', 'over.png', png.length);
  const open = await direct.start('image', 'open.png', png.length);
  for (const ticket of [over, open]) await sendPart(ticket, 0, png);
  const before = await table.traces();
  const items = (await table.list('UPLOAD')).filter(({ file }) => /^(over|kept)\.png$/.test(file.name));
  for (const item of items)
    await setAttribute(server, item, 'gsi1sk', `2020-01-01T00:00:00.000Z#${item.file.id}`);

  await runJob('system-job-clean-up-uploads');

  const { objects, files, uploads } = before;
  expect(await table.traces()).toEqual({ objects: objects - 1, files, uploads: uploads - 2 });
  expect(hash(readStored(kept))).toBe(hash(png));
  expect(await direct.complete(over.ticket)).toMatchObject({ code: 'upload.ticket_invalid' });
  expect((await direct.complete(open.ticket)).status).toBe(200);
});

describe('sent files are checked before they are recorded', () => {
  const drawing = '<path d="M0 0h1"/>'.repeat(1000);
  const lateScript = `<svg xmlns="http://www.w3.org/2000/svg">${drawing}<script/></svg>`;

  test.each([
    ['a zip as a picture', 'image', 'a.png', zip, 'content_mismatch'],
    ['a picture as a film', 'video', 'a.mp4', png, 'content_mismatch'],
    ['a bare zip as a document', 'file', 'a.docx', zip, 'content_mismatch'],
    ['NUL in a text', 'file', 'a.txt', Buffer.from('a\0'), 'content_mismatch'],
    ['a script in an SVG', 'image', 'a.svg', activeSvgs[0]?.[1] ?? '', 'active_content'],
    ['a script after 4 KiB of an SVG', 'image', 'a.svg', lateScript, 'active_content'],
  ])('%s is refused and removed', async (_title, type, name, content, code) => {
    const bytes = Buffer.from(content);
    const ticket = await direct.start(type, name, bytes.length);
    await postDirectly(ticket, bytes);

    const answers = [await direct.complete(ticket.ticket), await direct.complete(ticket.ticket)];

    expect(answers.map(outcome)).toEqual([`422 upload.${code}`, '409 upload.incomplete']);
    expect((await readOffset(ticket)).data).toEqual({ offset: 0 });
    expect(await table.traces()).toEqual(isAlone({ uploads: 1 }));
  });

  test('completed ten times at once is refused ten times', async () => {
    const bytes = pad(zip, 2 * partSize);
    const ticket = await direct.start('image', 'a.png', bytes.length - partSize);
    await sendPart(ticket, 0, bytes.subarray(0, partSize));

    const answers = await Promise.all(Array.from({ length: 10 }, () => direct.complete(ticket.ticket)));

    const codes = answers.map(({ code }) => code);
    // Later requests may find the file already removed.
    const others = codes.filter((code) => !['upload.incomplete', 'storage.unavailable'].includes(code));
    expect(new Set(others)).toEqual(new Set(['upload.content_mismatch']));
    expect(await table.traces()).toEqual(isAlone({ uploads: 1 }));
  });
});

/** A ticket with one changed character. */
function change(ticket: string, at: number): string {
  return ticket.slice(0, at) + (ticket[at] === 'A' ? 'B' : 'A') + ticket.slice(at + 1);
}

/** Runs the entry of a job in its own process. */
async function runJob(name: string): Promise<void> {
  const { PATH } = process.env;
  const context = '{ awsRequestId: "test", getRemainingTimeInMillis: () => 300_000 }';
  const script = `(await import('./.build/entries/${name}.mjs')).handler({}, ${context})`;
  const options = { cwd: projectRoot, env: { PATH, ...readStack(server) } };
  await promisify(execFile)('node', ['--input-type=module', '--eval', `await ${script}`], options);
}
