import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { readAsAdmin } from './login.ts';

/** The default settings of the service. */
const settings = { enabled: false, configured: false, model: '', base_url: '', max_steps: 5 };

/** Answers one request of MCP with the official SDK, which has one tool. @param message its parsed body */
export async function answerMcp(authorization: string | undefined, message: unknown): Promise<Response> {
  const { found } = await readAsAdmin(authorization, [['service:config:ai', 'service:config-generation:ai']]);
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  server.registerTool(
    'system.ai_settings',
    { description: 'Reads the settings of the assistant' },
    async () => {
      const answer = Object.assign({}, settings, found[0]);
      return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
    },
  );
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport);
  const request = new Request('http://localhost/mcp/service', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  });
  return transport.handleRequest(request, { parsedBody: message });
}
