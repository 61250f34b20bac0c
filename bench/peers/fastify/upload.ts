import fastify, { type FastifyRequest } from 'fastify';
import { type Form, readForm } from '../jobs/read-form.ts';
import { maxBytes, uploadFile } from '../jobs/upload-file.ts';
import { parse } from '../schemas/parse.ts';
import { uploadFields } from '../schemas/upload-fields.ts';
import { serve, wrap } from './serve.ts';

const app = fastify({ bodyLimit: 2 * maxBytes });
app.addContentTypeParser(
  'multipart/form-data',
  { parseAs: 'buffer' },
  (request: FastifyRequest, body: Buffer) => readForm(request.headers['content-type'] ?? '', body),
);
app.post<{ Body: Form }>('/adminapi/system/upload/file', async (request) => {
  const { fields, file } = request.body;
  return wrap(request, await uploadFile(request.headers.authorization, parse(uploadFields, fields), file));
});

export const handler = serve(app);
