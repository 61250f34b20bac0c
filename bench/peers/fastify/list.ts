import fastify from 'fastify';
import { listFiles } from '../jobs/list-files.ts';
import { listQuery, parse } from '../jobs/schemas.ts';
import { serve, wrap } from './serve.ts';

const app = fastify();
app.get<{ Querystring: Record<string, string> }>('/adminapi/system/file/list', async (request) =>
  wrap(request, await listFiles(request.headers.authorization, parse(listQuery, request.query))),
);

export const handler = serve(app);
