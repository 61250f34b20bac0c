import { handle } from 'hono/aws-lambda';
import { readPublicDict } from '../jobs/read-dict.ts';
import { parse, typeKeys } from '../jobs/schemas.ts';
import { createApp, send } from './app.ts';

const app = createApp();
app.get('/api/system/config/dict', async (c) =>
  send(c, await readPublicDict(parse(typeKeys, c.req.query('type')))),
);

export const handler = handle(app);
