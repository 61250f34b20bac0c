import { readForm } from '../jobs/read-form.ts';
import { uploadFile } from '../jobs/upload-file.ts';
import { answer } from './answer.ts';
import { toUploadFields } from './checks.ts';

export const handler = answer(async ({ headers, body = '', isBase64Encoded }) => {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const { fields, file } = await readForm(headers['content-type'] ?? '', bytes);
  return uploadFile(headers.authorization, toUploadFields(fields), file);
});
