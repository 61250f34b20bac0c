import type { IncomingHttpHeaders } from 'node:http';
import { Busboy } from '@fastify/busboy';

/** What a form upload holds. */
export interface QiniuForm {
  fields: Record<string, string>;
  file?: { bytes: Buffer; filename: string; contentType: string };
}

/** Reads the body of a form upload; undefined where it is none. */
export async function readQiniuForm(
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<QiniuForm | undefined> {
  const type = headers['content-type'];
  if (!type?.startsWith('multipart/form-data')) return undefined;
  const form: QiniuForm = { fields: {} };
  await new Promise<void>((resolve, reject) => {
    const parser = new Busboy({ headers: { ...headers, 'content-type': type } });
    parser.on('field', (name, value) => {
      form.fields[name] = value;
    });
    parser.on('file', (name, stream, filename, _encoding, contentType) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (name !== 'file') return;
        form.file = {
          bytes: Buffer.concat(chunks),
          filename,
          contentType,
        };
      });
    });
    parser.on('finish', resolve);
    parser.on('error', reject);
    parser.end(body);
  });
  return form;
}
