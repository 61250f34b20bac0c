import { Busboy } from '@fastify/busboy';
import { type FormFile, maxBytes } from './upload-file.ts';

export interface Form {
  fields: Record<string, string>;
  file: FormFile | undefined;
}

/** Reads a `multipart/form-data` body with one file, for peers whose framework does not. */
export function readForm(contentType: string, body: Buffer): Promise<Form> {
  return new Promise((resolve, reject) => {
    const form: Form = { fields: {}, file: undefined };
    const busboy = new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fileSize: maxBytes + 1 },
    });
    busboy.on('field', (name, value) => {
      form.fields[name] = value;
    });
    busboy.on('file', (_name, stream, name) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        form.file = { name, bytes: Buffer.concat(chunks) };
      });
    });
    busboy.on('error', reject);
    busboy.on('finish', () => resolve(form));
    busboy.end(body);
  });
}
