import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { environment } from '#shared/config/environment.ts';
import { uploadTransport } from '#shared/config/upload.ts';
import { hasTag, RawAnswer } from '#shared/http/raw-answer.ts';
import type { RequestInfo } from '#shared/http/route.ts';
import type { ByteSpan } from '#shared/storage/engine.ts';
import { hasCode, readBytes } from '#shared/storage/engines/local/files.ts';
import { locateFolders } from '#shared/storage/engines/local/folders.ts';
import { readLink } from '#shared/storage/engines/local/signed-link.ts';
import { isObjectPath, isPrivatePath, mimeTypeOf } from '#shared/storage/naming/object-path.ts';
import systemErrors from '../errors.ts';
import { describePrivate, publicHeaders } from './file-headers.ts';

type Headers = RequestInfo['event']['headers'];

type LocalFile = NonNullable<Awaited<ReturnType<typeof findFile>>>;

/**
 * Answers the local file of a path below `/storage/`, or a range of it of at most 4 MiB. A private one needs a link
 * that is signed for it and still valid.
 *
 * @param query of the URL
 * @throws AppError `storage.file_not_found`; `storage.link_invalid`; `range.invalid`; `storage.range_required` if a
 *   deployed function is asked for the whole of a larger file
 */
export async function serveFile(
  path: string,
  method: string,
  headers: Headers,
  query: URLSearchParams,
): Promise<RawAnswer> {
  const { storageDir } = environment();
  if (!isObjectPath(path)) throw systemErrors.create('storage.file_not_found');
  const isPrivate = isPrivatePath(path);
  const name = isPrivate ? readLink(path, query) : undefined;
  // Before the disk is asked: without a link, the answer does not show whether the file exists.
  if (isPrivate && name === undefined) throw systemErrors.create('storage.link_invalid');
  const file = storageDir && (await findFile(storageDir, path));
  if (!file) throw systemErrors.create('storage.file_not_found');
  const described = { ...describe(path, file), ...(name !== undefined && describePrivate(name)) };
  if (hasTag(headers['if-none-match'], described.etag)) return new RawAnswer(304, described);
  const range = readRange(file, headers, described.etag);
  if (method === 'HEAD') {
    return new RawAnswer(200, { ...described, 'content-length': String(file.sizeBytes) });
  }
  if (!range) return answerWhole(file, described);
  const { start, end } = range;
  const bytes = await readBytes(file.realPath, start, Math.min(end, start + uploadTransport.partSizeBytes));
  const shown = `bytes ${start}-${start + bytes.length - 1}/${file.sizeBytes}`;
  return new RawAnswer(206, { ...described, 'content-range': shown }, bytes);
}

/** Finds a public object through the public link, and a private one beside its target. No path leads out of them. */
async function findFile(storageDir: string, path: string) {
  try {
    const { link, home } = locateFolders(storageDir);
    const root = await realpath(isPrivatePath(path) ? home : link);
    const realPath = await realpath(join(root, path));
    const found = await stat(realPath);
    if (!realPath.startsWith(root + sep) || !found.isFile()) return undefined;
    return { realPath, sizeBytes: found.size, modifiedMs: found.mtimeMs };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].some((code) => hasCode(error, code))) return undefined;
    throw error;
  }
}

function describe(path: string, { sizeBytes, modifiedMs }: LocalFile) {
  return {
    ...publicHeaders,
    'content-type': mimeTypeOf(path) ?? 'application/octet-stream',
    'accept-ranges': 'bytes',
    etag: `"${sizeBytes.toString(36)}-${Math.round(modifiedMs).toString(36)}"`,
    'last-modified': new Date(modifiedMs).toUTCString(),
  };
}

function readRange({ sizeBytes }: LocalFile, headers: Headers, etag: string): ByteSpan | undefined {
  // If-Range does not match: send the whole file.
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== etag) return undefined;
  const range = parseRange(headers.range, sizeBytes);
  if (range !== 'unsatisfiable') return range;
  throw systemErrors.create('range.invalid', { headers: { 'content-range': `bytes */${sizeBytes}` } });
}

async function answerWhole(file: LocalFile, described: Record<string, string>): Promise<RawAnswer> {
  if (environment().isDeployed && file.sizeBytes > uploadTransport.partSizeBytes) {
    throw systemErrors.create('storage.range_required');
  }
  return new RawAnswer(200, described, await readBytes(file.realPath, 0, file.sizeBytes));
}

const longestHeaderCharacters = 100;

/**
 * The bytes that a `Range` header asks for (RFC 9110, section 14). Undefined if it is missing, unreadable,
 * of another unit or of several ranges; `unsatisfiable` if it begins after the end, or is above 100 characters.
 */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): ByteSpan | 'unsatisfiable' | undefined {
  if (header !== undefined && header.length > longestHeaderCharacters) return 'unsatisfiable';
  const [, first = '', last = ''] =
    /^bytes\s*=\s*(?:(\d{1,15})\s*)?-\s*(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= sizeBytes) return 'unsatisfiable';
  return { start, end: last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes) };
}
