import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Invocation } from '../event.ts';
import { readCached } from './read-dict.ts';
import { assertEnabled, type Principal, type Session, toEntryKeys, verify } from './verify.ts';

/** What the service says of settings that nobody has changed. */
const settings = { enabled: false, configured: false, model: '', base_url: '', max_steps: 5 };

/** One tool over MCP, with the official SDK and without a framework. */
export async function handler({ headers, body }: Invocation['event']) {
  const caller = verify(headers.authorization ?? '');
  const configKeys: [string, string] = ['service:config:ai', 'service:config-generation:ai'];
  const { found } = await readCached<Session & Principal>([...toEntryKeys(caller), configKeys], []);
  assertEnabled(found[0], found[1]);
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  server.registerTool(
    'system.ai_settings',
    { description: 'Tells how the assistant is set up' },
    async () => ({
      content: [{ type: 'text', text: JSON.stringify({ ...settings, ...found[2] }) }],
      structuredContent: { ...settings, ...found[2] },
    }),
  );
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await server.connect(transport);
  const request = new Request('http://localhost/mcp/service', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: body ?? '',
  });
  const response = await transport.handleRequest(request);
  return {
    statusCode: response.status,
    headers: { 'content-type': 'application/json' },
    body: await response.text(),
  };
}
