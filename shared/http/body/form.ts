import type { Readable } from 'node:stream';
import { type BusboyInstance, Busboy as createBusboy } from '@fastify/busboy';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { AppError } from '#shared/errors/app-error.ts';
import { fieldsOf } from '#shared/schema/definition.ts';
import { ReceivedFile } from '#shared/schema/received-file.ts';
import type { BodyParser } from '../request-context.ts';

const contentType = 'multipart/form-data';
/** No form of this service needs more; larger forms are malformed. */
const limits = { parts: 30, fieldSize: 8192, headerPairs: 20 };
const longestName = 100;
const pieceBytes = 65_536;

type Fields = Record<string, string | ReceivedFile>;

/**
 * Reads a `multipart/form-data` body (RFC 7578): texts as strings, files as `ReceivedFile`. It refuses a repeated
 * field, and skips fields that the route's schema does not have, because upload widgets add their own.
 */
export const form: BodyParser = {
  contentType,
  // Lambda limits the whole request, and each file type has its own limit.
  limitBytes: Number.POSITIVE_INFINITY,
  refusals: ['request.malformed', 'request.unsupported_media_type'],
  read({ event }, body) {
    const fields = fieldsOf(body);
    return parseForm(event, (name) => Object.hasOwn(fields, name));
  },
};

/** @throws AppError `request.unsupported_media_type`, `request.malformed`; `request.invalid` for a repeated field */
export async function parseForm(
  event: APIGatewayProxyEventV2,
  isKnown: (name: string) => boolean = () => true,
): Promise<Fields> {
  const header = event.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(header)) {
    throw new AppError('request.unsupported_media_type', { params: { expected: contentType } });
  }
  try {
    const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
    return await read(header, bytes, isKnown);
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('request.malformed', { cause });
  }
}

function read(header: string, body: Buffer, isKnown: (name: string) => boolean): Promise<Fields> {
  // Without a prototype: a field may have any name.
  const fields: Fields = Object.create(null);
  return new Promise((resolve, reject) => {
    let isRefused = false;
    const refuse = (error: Error) => {
      isRefused = true;
      reject(error);
    };
    const busboy = createBusboy({
      headers: { 'content-type': header },
      limits,
      // File checks need the whole name; the storage removes path parts.
      preservePath: true,
      isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    });
    const keep = (name: string | undefined, value: Fields[string]) => {
      if (name === undefined || name.length > longestName) refuse(new Error('a part without a valid name'));
      else if (!isKnown(name)) return;
      else if (name in fields) refuse(repeated(name, value));
      else fields[name] = value;
    };
    busboy.on('file', (name: string | undefined, stream, fileName) => {
      // If the body ends within a file, its stream emits an error, and an unhandled one ends the process.
      stream.on('error', refuse);
      if (name !== undefined && !isKnown(name)) stream.resume();
      else collect(stream, (bytes) => keep(name, new ReceivedFile(fileName, bytes)));
    });
    busboy.on('field', (name: string | undefined, value, _isNameCut, isCut, _encoding, type) => {
      if (isCut && name !== undefined && isKnown(name)) refuse(tooLong(name, type));
      else keep(name, value);
    });
    busboy.on('partsLimit', () => refuse(new Error('too many parts')));
    busboy.on('error', refuse);
    busboy.on('finish', () => resolve(fields));
    feed(busboy, body, () => isRefused);
  });
}

function collect(stream: Readable, done: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(Buffer.concat(chunks)));
}

/** Writes the body in pieces and stops at a refusal, so that a million parts cost no more than thirty. */
function feed(busboy: BusboyInstance, body: Buffer, isRefused: () => boolean, at = 0): void {
  if (isRefused()) return;
  const end = at + pieceBytes;
  if (end >= body.length) busboy.end(body.subarray(at));
  else busboy.write(body.subarray(at, end), () => feed(busboy, body, isRefused, end));
}

/** A long part of another type than text is a file without a name. */
const tooLong = (name: string, type: string): Error =>
  type === 'text/plain' ? new Error('a field that is too long') : invalid(name, 'rule.file_name');

const repeated = (name: string, value: Fields[string]): AppError =>
  invalid(name, value instanceof ReceivedFile ? 'rule.one_file' : 'rule.repeated');

const invalid = (name: string, message: string): AppError =>
  new AppError('request.invalid', { errors: [{ path: `body.${name}`, message }] });
