import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A `multipart/form-data` body in parts, and the header that announces it. */
export interface Form {
  headers: Record<string, string>;
  body: readonly Uint8Array[];
}

/** The form that uploads a file (developer.qiniu.com/kodo/1312/upload); the file's bytes are not copied. */
export function createUploadForm(
  fields: Record<string, string>,
  bytes: Uint8Array,
  contentType: string,
): Form {
  const boundary = `form-${randomBytes(16).toString('hex')}`;
  const part = (disposition: string, content: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${content}`;
  const head = Object.entries({ ...fields, crc32: String(crc32(bytes)) })
    .map(([name, value]) => part(`name="${name}"`, `\r\n${value}\r\n`))
    .concat(part('name="file"; filename="file"', `Content-Type: ${contentType}\r\n\r\n`))
    .join('');
  const body = [Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)];
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body };
}
