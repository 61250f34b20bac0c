import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decryptTicket } from '#modules/System/files/uploads/ticket.ts';
import { uploadPartitions } from '#modules/System/files/uploads/upload-record.ts';
import type { Item } from '#shared/db/items.ts';
import { listPartitions } from '#shared/db/paging/spread-index.ts';
import { keys } from '../../support/keys.ts';
import type { Answer } from '../world/api.ts';
import { newWord } from '../world/random.ts';
import type { Caller, World } from '../world/world.ts';
import { defineFlow, type Flow } from './flow.ts';

const text = (word: string): Uint8Array => Buffer.from(`a text about ${word}\n`);

/** An encoded form. */
export async function createForm(fields: Record<string, string>, name: string, bytes: Uint8Array) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new File([new Uint8Array(bytes)], name));
  const response = new Response(form);
  const headers = { 'content-type': response.headers.get('content-type') ?? '' };
  return { headers, body: new Uint8Array(await response.arrayBuffer()) };
}

/** Where one run's files go: a category of its own. */
interface State extends Caller {
  cid: string;
  bytes: Uint8Array;
}

/** States of runs that have ended, whose categories are still there. */
const ended: State[] = [];
/** A service takes 1,000 categories, and those whose files cannot be deleted stay. */
const endedLimit = 400;

async function prepare(world: World): Promise<State> {
  const { steady, takeAdmin } = world;
  const caller = await takeAdmin();
  const oldest = ended.length > endedLimit ? ended.shift() : undefined;
  if (oldest) await clear(world, oldest.cid, caller.token);
  const body = { name: newWord(), type: 'file' };
  const { data } = await steady.post('/adminapi/system/file/category/add', body, caller.token);
  return { ...caller, cid: data.id, bytes: text(newWord()) };
}

/** Deletes a category and its files, as far as possible. */
async function clear({ steady, table }: World, cid: string, token: string): Promise<void> {
  const files = await table.list(`FILE_CATEGORY#${cid}`, 'gsi2');
  const ids = files.map(({ id }) => id);
  if (ids.length > 0) await steady.post('/adminapi/system/file/delete', { ids }, token);
  await steady.post('/adminapi/system/file/category/delete', { id: cid }, token);
}

/** Reads a file's bytes from its engine; undefined if it does not exist. */
export async function readObject(
  { cloud, functions }: World,
  { engine, key }: Item,
): Promise<Uint8Array | undefined> {
  if (engine === 'aliyun') return cloud.objects.get(String(key))?.bytes;
  return readFile(join(functions.dataDir, 'public', 'storage', String(key))).catch(() => undefined);
}

async function listFiles(world: World, { cid, bytes }: State): Promise<Item[]> {
  const files = await world.table.list(`FILE_CATEGORY#${cid}`, 'gsi2');
  for (const file of files) {
    const stored = await readObject(world, file);
    if (!stored || hash('sha1', stored) !== hash('sha1', bytes))
      throw new Error('a record without its bytes');
  }
  return files;
}

async function listUploads({ table }: World, { cid }: State): Promise<Item[]> {
  const uploads = listPartitions('UPLOAD', uploadPartitions).map((pk) => table.list(pk, 'gsi1'));
  return (await Promise.all(uploads)).flat().filter(({ file }) => Object(file).cid === cid);
}

const isShown: Flow<State>['isShown'] = async (world, state) => {
  const { data } = await world.steady.get('/adminapi/system/file/list', { cid: state.cid }, state.token);
  return data.list.length === (await world.table.list(`FILE_CATEGORY#${state.cid}`, 'gsi2')).length;
};

const look: Flow<State>['look'] = async (world, state) =>
  (await listFiles(world, state)).length > 0 ? 'after' : 'before';

async function upload({ api }: Pick<World, 'api'>, { token, cid, bytes }: State): Promise<Answer> {
  const form = await createForm({ type: 'file', cid }, 'a.txt', bytes);
  return api.form('/adminapi/system/upload/file', form, token);
}

const failures = ['storage.unavailable'];
const release: Flow<State>['release'] = (world, state) => {
  ended.push(state);
  world.giveBack(state);
};
const common = { prepare, release, isShown, changes: () => [], failures };

const uploadForm = defineFlow<State>({
  name: 'a file is uploaded in a form',
  isTriedCold: true,
  ...common,
  act: upload,
  look,
  // The upload is stored before its first byte, and the clean-up removes it if it stays incomplete.
  hasChanged: async (world, state) =>
    (await listFiles(world, state)).length > 0 || (await listUploads(world, state)).length > 0,
  isRecord: ({ action, fields }, { cid }) => action === 'system/upload/file' && fields.cid === cid,
});

interface Direct extends State {
  // biome-ignore lint/suspicious/noExplicitAny: what `direct` answers.
  ticket?: any;
  isSent?: boolean;
}

const uploadDirect = defineFlow<Direct>({
  name: 'a file is uploaded directly',
  ...common,
  look,
  isRecord: ({ action, target }, { ticket }) =>
    action === 'system/upload/complete' && target === `file:${decryptTicket(ticket?.ticket ?? '')}`,
  async act(world, state) {
    const { api } = world;
    const { token, cid, bytes } = state;
    if (!state.ticket) {
      const body = { type: 'file', name: 'a.txt', size: bytes.length, cid };
      const begun = await api.post('/adminapi/system/upload/direct', body, token);
      if (begun.code !== 'ok') return begun;
      state.ticket = begun.data;
    }
    if (!state.isSent) {
      const sent = await send(world, state);
      if (sent && sent.code !== 'ok') return sent;
      state.isSent = true;
    }
    return api.post('/adminapi/system/upload/complete', { ticket: state.ticket.ticket }, token);
  },
});

/** Sends the bytes as a client does; returns this service's answer, if it was called. */
async function send({ api }: World, { ticket, bytes }: Direct): Promise<Answer | undefined> {
  const { url, fields, part_size } = ticket;
  const form = await createForm({ ...fields, ...(part_size && { offset: '0' }) }, 'a.txt', bytes);
  if (part_size) return api.form('/api/system/upload/part', form);
  const { status } = await fetch(url, { method: 'POST', headers: form.headers, body: form.body });
  if (status >= 300) throw new Error(`the engine answered ${status}`);
  return undefined;
}

/** An uploaded file. */
interface Uploaded extends State {
  id: string;
  key: string;
  engine: string;
}

async function prepareUploaded(world: World): Promise<Uploaded> {
  const state = await prepare(world);
  const { data } = await upload({ api: world.steady }, state);
  const item = await world.table.get(keys.file(data.id));
  return { ...state, id: data.id, key: String(item?.key), engine: String(item?.engine) };
}

const deleteFile = defineFlow<Uploaded>({
  name: 'a file is deleted',
  ...common,
  prepare: prepareUploaded,
  async act({ api }, { token, id }) {
    const answer = await api.post('/adminapi/system/file/delete', { ids: [id] }, token);
    const code = answer.code === 'ok' && answer.data.deleted === 0 ? answer.data.failed[0].code : answer.code;
    return { ...answer, code };
  },
  async look(world, { id, key, engine }) {
    const [record, bytes] = [await world.table.get(keys.file(id)), await readObject(world, { engine, key })];
    if (!record && bytes) throw new Error('bytes without their record');
    if (!record) return 'after';
    // The record goes last, so that it can be deleted again.
    return bytes ? 'before' : 'between';
  },
  // A request whose file stays is answered 200, and is recorded.
  isRecord: ({ target }, { id }) => target === `file:${id}`,
  hasChanged: async ({ table }, { id }) => (await table.get(keys.file(id))) === undefined,
  conflicts: ['file.not_found'],
  isGradual: true,
});

/** Calls no engine. */
export const moveFile = defineFlow<Uploaded>({
  name: 'a file is moved out of its category',
  ...common,
  prepare: prepareUploaded,
  act: ({ api }, { token, id }) => api.post('/adminapi/system/file/move', { ids: [id], cid: null }, token),
  look: async ({ table }, { id }) => ((await table.get(keys.file(id)))?.cid ? 'before' : 'after'),
  isRecord: ({ target }, { id }) => target === `file:${id}`,
});

export const fileFlows: Flow[] = [uploadForm, uploadDirect, deleteFile];
