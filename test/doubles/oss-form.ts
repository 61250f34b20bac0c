import { Busboy as createBusboy } from '@fastify/busboy';
import { OssRefusal } from './oss-refusal.ts';

/** A form as PostObject reads it. */
export interface OssForm {
  /** What stands before the file, by names in lower case. */
  fields: Map<string, string>;
  file: { bytes: Buffer; contentType: string | undefined };
}

const malformed = () =>
  new OssRefusal(
    400,
    'MalformedPOSTRequest',
    'The body of your POST request is not well-formed multipart/form-data.',
    '0006-00000202',
  );

/** Reads a form up to its file; what comes behind it does not count. */
export async function readOssForm(contentType: string, body: Buffer): Promise<OssForm> {
  if (!/^multipart\/form-data; *boundary=/i.test(contentType)) throw malformed();
  const fields = new Map<string, string>();
  let file: OssForm['file'] | undefined;
  await new Promise<void>((resolve, reject) => {
    const busboy = createBusboy({
      headers: { 'content-type': contentType },
      isPartAFile: (name) => name?.toLowerCase() === 'file',
    });
    busboy.on('field', (name: string, value: string) => {
      if (!file) fields.set(name.toLowerCase(), value);
    });
    busboy.on('file', (_name, stream, _fileName, _encoding, type: string | undefined) => {
      const chunks: Buffer[] = [];
      const started: OssForm['file'] = { bytes: Buffer.alloc(0), contentType: type };
      file ??= started;
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        started.bytes = Buffer.concat(chunks);
      });
      stream.on('error', reject);
    });
    busboy.on('error', reject);
    busboy.on('finish', resolve);
    busboy.end(body);
  }).catch(() => {
    throw malformed();
  });
  if (!file) throw new OssRefusal(400, 'InvalidArgument', 'The file field is missing.', '0006-00000204');
  return { fields, file };
}
