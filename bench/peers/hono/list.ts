import { handle } from 'hono/aws-lambda';
import { listFiles } from '../jobs/list-files.ts';
import { createApp, send } from './app.ts';

const app = createApp();
app.get('/adminapi/system/file/list', async (c) =>
  send(c, await listFiles(c.req.header('authorization'), c.req.query())),
);

export const handler = handle(app);
