import type { Invocation } from '../../event.ts';
import { answerMcp } from '../jobs/answer-mcp.ts';

/** One tool over MCP, with the official SDK and without a framework. */
export async function handler({ headers, body = '' }: Invocation['event']) {
  const response = await answerMcp(headers.authorization, JSON.parse(body));
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}
