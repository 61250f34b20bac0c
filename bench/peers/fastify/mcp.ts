import fastify from 'fastify';
import { answerMcp } from '../jobs/answer-mcp.ts';
import { serve } from './serve.ts';

const app = fastify();
app.post('/mcp/service', async (request) => answerMcp(request.headers.authorization, request.body));

export const handler = serve(app);
