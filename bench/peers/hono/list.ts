import { handle } from 'hono/aws-lambda';
import { listFiles } from '../jobs/list-files.ts';
import { listQuery } from '../schemas/list-query.ts';
import { parse } from '../schemas/parse.ts';
import { createApp, send } from './app.ts';

const app = createApp();
app.get('/adminapi/system/file/list', async (c) =>
  send(c, await listFiles(c.req.header('authorization'), parse(listQuery, c.req.query()))),
);

export const handler = handle(app);
