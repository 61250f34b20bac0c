import { handle } from 'hono/aws-lambda';
import { readAdminDict } from '../jobs/read-dict.ts';
import { parse, typeKeys } from '../jobs/schemas.ts';
import { createApp, send } from './app.ts';

const app = createApp();
app.get('/adminapi/system/config/dict', async (c) =>
  send(c, await readAdminDict(c.req.header('authorization'), parse(typeKeys, c.req.query('type')))),
);

export const handler = handle(app);
