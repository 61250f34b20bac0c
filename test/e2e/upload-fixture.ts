import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { uploadPartitions } from '#modules/System/files/uploads/upload-record.ts';
import { listPartitions } from '#shared/db/paging/spread-index.ts';
import { postDirectly } from '../contract/storage/post-directly.ts';
import type { Answer, Client } from '../support/client.ts';
import type { RunningServer } from '../support/local-server.ts';
import { createPhones, newMobile, readLogin } from './user-fixture.ts';

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

/** A caller who uploads, with the routes for this kind of caller. */
export interface Caller {
  kind: 'admin' | 'user' | 'guest';
  base: string;
  token?: string;
  id: string | null;
}

export const guest: Caller = { kind: 'guest', base: '/api/system/upload', id: null };

export async function logInAdmin(client: Client): Promise<Caller> {
  const token = await client.login();
  const { data } = await client.get('/adminapi/system/admin/info', { token });
  return { kind: 'admin', base: '/adminapi/system/upload', token, id: z.parse(withId, data).id };
}

export async function registerUser(server: RunningServer, client: Client): Promise<Caller> {
  const { token, user } = readLogin(await createPhones(server, client).register(newMobile()));
  return { kind: 'user', base: '/api/system/upload', token, id: user.id };
}

const withId = z.looseObject({ id: z.string() });

const fileRecord = z.looseObject({ id: z.string(), url: z.string(), name: z.string(), size: z.int() });
/** The record in an upload's answer. */
export const readRecord = (answer: Answer) => z.parse(fileRecord, answer.data);

/** What uploads leave behind: files on the disk, and items by the index that lists them. */
export interface Traces {
  objects: number;
  files: number;
  uploads: number;
}

/** The table of a local server, read without the service. */
export function openTable(server: RunningServer) {
  const { environment } = JSON.parse(readFileSync(join(server.dataDir, 'stack.json'), 'utf8'));
  const client = new DynamoDBClient({
    endpoint: environment.DYNAMODB_ENDPOINT,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const database = DynamoDBDocument.from(client);
  const TableName: string = environment.TABLE_NAME;

  async function list(kind: 'FILE' | 'UPLOAD') {
    const partitions = kind === 'UPLOAD' ? listPartitions(kind, uploadPartitions) : [kind];
    const pages = partitions.map((partition) =>
      database.query({
        TableName,
        IndexName: 'gsi1',
        KeyConditionExpression: 'gsi1pk = :pk',
        ExpressionAttributeValues: { ':pk': partition },
      }),
    );
    return (await Promise.all(pages)).flatMap(({ Items = [] }) => Items);
  }

  return {
    list,
    async change({ pk, sk }: Record<string, unknown>, name: string, value: unknown): Promise<void> {
      await database.update({
        TableName,
        Key: { pk, sk },
        UpdateExpression: 'SET #name = :value',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#name': name },
        ExpressionAttributeValues: { ':value': value },
      });
    },
    async traces(): Promise<Traces> {
      const [files, uploads] = await Promise.all([list('FILE'), list('UPLOAD')]);
      return { objects: countFiles(server.dataDir), files: files.length, uploads: uploads.length };
    },
    close: () => client.destroy(),
  };
}

const countFiles = (dataDir: string): number =>
  readdirSync(join(dataDir, 'storage'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length;

/** A file of the given size that begins with `head`. */
export function pad(head: Uint8Array, sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  bytes.set(head);
  return bytes;
}

const directTicket = z.strictObject({
  ticket: z.string(),
  method: z.literal('POST'),
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
export function createDirect(client: Client, { base, token }: Caller) {
  const ask = (body: Record<string, unknown>) => client.post(`${base}/direct`, body, { token });
  const complete = (ticket: string) => client.post(`${base}/complete`, { ticket }, { token });

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
