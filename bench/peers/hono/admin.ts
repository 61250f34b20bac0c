import { handle } from 'hono/aws-lambda';
import { readAdminDict } from '../jobs/read-dict.ts';
import { parse } from '../schemas/parse.ts';
import { typeKeys } from '../schemas/type-keys.ts';
import { createApp, send } from './app.ts';

const app = createApp();
app.get('/adminapi/system/config/dict', async (c) =>
  send(c, await readAdminDict(c.req.header('authorization'), parse(typeKeys, c.req.query('type')))),
);

export const handler = handle(app);
