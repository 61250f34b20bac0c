import fastify from 'fastify';
import { readAdminDict } from '../jobs/read-dict.ts';
import { parse, typeKeys } from '../jobs/schemas.ts';
import { serve, wrap } from './serve.ts';

const app = fastify();
app.get<{ Querystring: { type?: string } }>('/adminapi/system/config/dict', async (request) =>
  wrap(request, await readAdminDict(request.headers.authorization, parse(typeKeys, request.query.type))),
);

export const handler = serve(app);
