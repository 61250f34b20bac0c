import { handle } from 'hono/aws-lambda';
import { uploadFile } from '../jobs/upload-file.ts';
import { parse } from '../schemas/parse.ts';
import { uploadFields } from '../schemas/upload-fields.ts';
import { createApp, send } from './app.ts';

const app = createApp();
app.post('/adminapi/system/upload/file', async (c) => {
  const { file, ...fields } = await c.req.parseBody();
  const received = file instanceof File && { name: file.name, bytes: await file.bytes() };
  return send(
    c,
    await uploadFile(c.req.header('authorization'), parse(uploadFields, fields), received || undefined),
  );
});

export const handler = handle(app);
