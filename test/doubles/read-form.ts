import type { IncomingHttpHeaders } from 'node:http';
import { Busboy } from '@fastify/busboy';

/** What an upload by form holds. */
export interface UploadForm {
  /** The fields before the file, and those after it if they count. */
  fields: Map<string, string>;
  file?: { bytes: Buffer; fileName: string; contentType: string };
}

export interface FormRules {
  /** Whether fields after the file count. @default false */
  goesOn?: boolean;
}

const isFile = (name: string | undefined) => name?.toLowerCase() === 'file';

/** Reads the body of an upload by form; undefined if it is not a form. */
export async function readForm(
  headers: IncomingHttpHeaders,
  body: Buffer,
  { goesOn = false }: FormRules = {},
): Promise<UploadForm | undefined> {
  const { 'content-type': type = '' } = headers;
  if (!/^multipart\/form-data; *boundary=/i.test(type)) return undefined;
  const form: UploadForm = { fields: new Map() };
  const parser = new Busboy({ headers: { 'content-type': type }, isPartAFile: isFile });
  parser.on('field', (name, value) => {
    if (goesOn || !form.file) form.fields.set(name, value);
  });
  parser.on('file', (_name, stream, fileName, _encoding, contentType) => {
    const chunks: Buffer[] = [];
    const file = { bytes: Buffer.alloc(0), fileName, contentType };
    form.file ??= file;
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      file.bytes = Buffer.concat(chunks);
    });
  });
  const isRead = await new Promise<boolean>((resolve) => {
    parser.on('finish', () => resolve(true));
    parser.on('error', () => resolve(false));
    parser.end(body);
  });
  return isRead ? form : undefined;
}
