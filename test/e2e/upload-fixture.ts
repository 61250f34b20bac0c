import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { uploadPartitions } from '#modules/System/files/uploads/upload-record.ts';
import { listPartitions } from '#shared/db/paging/spread-index.ts';
import { postDirectly } from '../contract/storage/post-directly.ts';
import { type Cloud, clouds } from '../doubles/clouds.ts';
import type { Answer, Client } from '../support/client.ts';
import type { RunningServer } from '../support/local-server.ts';
import { readPartition } from '../support/table.ts';
import { useRunning } from '../support/use-running.ts';
import type { UsedServer } from '../support/use-server.ts';
import { createPhones, newMobile } from './user-fixture.ts';

export const megabyte = 1_048_576;

/** A part of a form as sent. */
export interface FormPart {
  header: string;
  body: string | Uint8Array;
}

export const field = (name: string, value: string): FormPart => ({
  header: `Content-Disposition: form-data; name="${name}"`,
  body: value,
});

export const filePart = (fileName: string, bytes: string | Uint8Array, name = 'file'): FormPart => ({
  header:
    `Content-Disposition: form-data; name="${name}"; filename="${fileName.replace(/["\\]/g, '\\$&')}"\r\n` +
    'Content-Type: application/x-anything',
  body: bytes,
});

/** A form as sent. */
export interface Form {
  body: Uint8Array<ArrayBuffer>;
  headers: { 'content-type': string };
}

export interface FormShape {
  boundary?: string;
  /** Bytes after the last part; by default the closing boundary. */
  end?: string;
}

/** Bytes of a form; also malformed ones that no library would create. */
export function createForm(parts: readonly FormPart[], shape: FormShape = {}): Form {
  const { boundary = `form-${randomBytes(12).toString('hex')}`, end = `--${boundary}--\r\n` } = shape;
  const pieces = parts.flatMap(({ header, body }) => [`--${boundary}\r\n${header}\r\n\r\n`, body, '\r\n']);
  const body = Buffer.concat([...pieces, end].map((piece) => Buffer.from(piece)));
  return { body, headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` } };
}

/** A caller who uploads. */
export interface Caller {
  kind: 'admin' | 'user' | 'guest';
  /** Asks the routes of uploads for this kind of caller. */
  client: Client;
  id: string | null;
}

/** An administrator, two users and a guest. */
export function useCallers({ server, client, admin }: UsedServer<RunningServer>) {
  const own = client.at('/api/system/upload');
  const info = useRunning(
    async () => (await admin.get('/adminapi/system/admin/info')).data,
    () => undefined,
  );
  const createUser = (): Caller => {
    const login = useRunning(
      async () => (await createPhones(server, client).register(newMobile())).data,
      () => undefined,
    );
    return {
      kind: 'user',
      client: own.as(() => login.token),
      get id() {
        return login.user.id;
      },
    };
  };
  const guest: Caller = { kind: 'guest', client: own, id: null };
  const administrator: Caller = {
    kind: 'admin',
    client: admin.at('/adminapi/system/upload'),
    get id() {
      return info.id;
    },
  };
  return { admin: administrator, user: createUser(), other: createUser(), guest };
}

/** Uploads a form. */
export function sendForm({ client }: Caller, given: readonly FormPart[] | Form): Promise<Answer> {
  const { body, headers } = 'body' in given ? given : createForm(given);
  return client.post('file', body, { headers });
}

/** What uploads leave behind: files on the disk, and items by the index that lists them. */
export interface Traces {
  objects: number;
  files: number;
  uploads: number;
}

/** What is stored of uploads on a local server. */
export function openTable(server: RunningServer) {
  const list = async (kind: 'FILE' | 'UPLOAD') => {
    const partitions = kind === 'UPLOAD' ? listPartitions(kind, uploadPartitions) : [kind];
    return (await Promise.all(partitions.map((each) => readPartition(server, each, 'gsi1')))).flat();
  };
  return {
    list,
    async traces(): Promise<Traces> {
      const [files, uploads] = await Promise.all([list('FILE'), list('UPLOAD')]);
      return { objects: countFiles(server.dataDir), files: files.length, uploads: uploads.length };
    },
  };
}

const countFiles = (dataDir: string): number =>
  readdirSync(join(dataDir, 'storage'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length;

/** Doubles of every cloud, of which one at a time is the engine for uploads. */
export function useClouds({ saveSettings }: UsedServer<RunningServer>) {
  const running = useRunning(
    () => Promise.all(Object.values(clouds).map((start) => start())),
    (all) => Promise.all(all.map(({ stop }) => stop())),
  );
  const find = (name: string): Cloud | undefined => running.find((cloud) => cloud.name === name);
  return {
    find,
    /** Makes it the engine, with a bucket for private files. @param name also `local` */
    async use(name: string): Promise<void> {
      const cloud = find(name);
      if (cloud) await saveSettings(name, { ...cloud.settings, ...cloud.privateSettings });
      await saveSettings('storage', { default: name });
    },
  };
}

/** A file of the given size that begins with `head`. */
export function pad(head: Uint8Array, sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  bytes.set(head);
  return bytes;
}

const directTicket = z.strictObject({
  ticket: z.string(),
  method: z.enum(['POST', 'PUT']),
  url: z.url(),
  headers: z.record(z.string(), z.string()),
  fields: z.record(z.string(), z.string()),
  file_field: z.string(),
  part_size: z.optional(z.int()),
  expires_at: z.iso.datetime(),
});
/** Answer of `direct`: how the client sends its file. */
export type Ticket = z.output<typeof directTicket>;

/** Direct uploads by one caller, who only uses what the service answers. */
export function createDirect({ client }: Caller) {
  const ask = (body: Record<string, unknown>) => client.post('direct', body);
  const complete = (ticket: string) => client.post('complete', { ticket });

  async function start(type: string, name: string, size: number, place: object = {}): Promise<Ticket> {
    return z.parse(directTicket, (await ask({ type, name, size, ...place })).data);
  }

  /** All steps of an upload; returns the last answer. */
  async function upload(type: string, name: string, bytes: Uint8Array, place: object = {}): Promise<Answer> {
    const ticket = await start(type, name, bytes.length, place);
    await postDirectly(ticket, bytes);
    return complete(ticket.ticket);
  }

  return { ask, start, complete, upload };
}
