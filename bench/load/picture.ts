import type { LoadRequest } from './client.ts';

/** A PNG of one grey pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
const boundary = 'load-form-boundary';

/** The upload of a small picture in a form. */
export function encodePicture(headers: Record<string, string>): LoadRequest {
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="type"\r\n\r\nimage\r\n`),
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n`),
    png,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const type = `multipart/form-data; boundary=${boundary}`;
  return {
    method: 'POST',
    path: '/adminapi/system/upload/file',
    headers: { ...headers, 'content-type': type },
    body,
  };
}
