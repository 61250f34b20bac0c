import { handle } from 'hono/aws-lambda';
import { readAdminDict } from '../jobs/read-dict.ts';
import { createApp, send } from './app.ts';

const app = createApp();
app.get('/adminapi/system/config/dict', async (c) =>
  send(c, await readAdminDict(c.req.header('authorization'), c.req.query('type'))),
);

export const handler = handle(app);
