import { handle } from 'hono/aws-lambda';
import { answerMcp } from '../jobs/answer-mcp.ts';
import { createApp } from './app.ts';

const app = createApp();
app.post('/mcp/service', async (c) => answerMcp(c.req.header('authorization'), await c.req.json()));

export const handler = handle(app);
