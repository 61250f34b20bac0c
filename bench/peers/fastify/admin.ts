import fastify from 'fastify';
import { readAdminDict } from '../jobs/read-dict.ts';
import { parse } from '../schemas/parse.ts';
import { typeKeys } from '../schemas/type-keys.ts';
import { serve, wrap } from './serve.ts';

const app = fastify();
app.get<{ Querystring: { type?: string } }>('/adminapi/system/config/dict', async (request) =>
  wrap(request, await readAdminDict(request.headers.authorization, parse(typeKeys, request.query.type))),
);

export const handler = serve(app);
