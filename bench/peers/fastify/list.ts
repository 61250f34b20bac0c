import fastify from 'fastify';
import { listFiles } from '../jobs/list-files.ts';
import { listQuery } from '../schemas/list-query.ts';
import { parse } from '../schemas/parse.ts';
import { serve, wrap } from './serve.ts';

const app = fastify();
app.get<{ Querystring: Record<string, string> }>('/adminapi/system/file/list', async (request) =>
  wrap(request, await listFiles(request.headers.authorization, parse(listQuery, request.query))),
);

export const handler = serve(app);
