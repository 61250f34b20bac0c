import { handle } from 'hono/aws-lambda';
import { listFiles } from '../jobs/list-files.ts';
import { listQuery, parse } from '../jobs/schemas.ts';
import { createApp, send } from './app.ts';

const app = createApp();
app.get('/adminapi/system/file/list', async (c) =>
  send(c, await listFiles(c.req.header('authorization'), parse(listQuery, c.req.query()))),
);

export const handler = handle(app);
