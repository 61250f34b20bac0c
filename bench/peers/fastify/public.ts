import fastify from 'fastify';
import { readPublicDict } from '../jobs/read-dict.ts';
import { parse, typeKeys } from '../jobs/schemas.ts';
import { serve, wrap } from './serve.ts';

const app = fastify();
app.get<{ Querystring: { type?: string } }>('/api/system/config/dict', async (request) =>
  wrap(request, await readPublicDict(parse(typeKeys, request.query.type))),
);

export const handler = serve(app);
