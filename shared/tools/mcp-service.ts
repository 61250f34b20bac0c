import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { mendMcpError } from './mend-mcp-error.ts';

/** What one client may see and do. */
export interface McpSurface {
  /** How the server names itself. */
  server: { name: string; title: string; version: string };
  tools(): Tool[];
  /** Runs a tool. @throws McpToolUnknownError where there is none of the name */
  call(name: string, args: unknown): Promise<McpToolResult>;
}

export type McpToolResult = CallToolResult;

/** No tool has this name; its message is for the client. */
export class McpToolUnknownError extends Error {
  override readonly name = 'McpToolUnknownError';
}

export interface McpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Both are needed by older clients' rules, but JSON is all that is ever answered. */
const bothTypes = 'application/json, text/event-stream';
const takesJson = /(?:application\/(?:json|\*)|\*\/\*)/i;

/**
 * Answers one MCP request over Streamable HTTP: the revision 2026-07-28, and 2025-11-25 and older ones by their
 * handshake. Nothing is kept between requests, so there are no sessions and no streams.
 *
 * @param headers of the POST
 * @param text the body
 */
export async function serveMcp(
  given: Record<string, string | undefined>,
  text: string,
  surface: McpSurface,
): Promise<McpAnswer> {
  const headers = new Headers(
    // Byte by byte, as HTTP carries them: `Headers` takes no other characters.
    Object.entries(given).map(([name, value = '']) => [name, Buffer.from(value).toString('latin1')]),
  );
  // The parser takes more names of JSON than the SDK.
  headers.set('content-type', 'application/json');
  if (takesJson.test(headers.get('accept') ?? '*/*')) headers.set('accept', bothTypes);
  const parsedBody = parseJson(text);
  // Batches belong to revisions before those that are served, and would be many calls in one answer.
  if (Array.isArray(parsedBody)) return { status: 400, headers: jsonHeaders, body: batchRefusal };
  // The SDK reads the body only if it was not parsed, and refuses it then.
  const body = parsedBody === undefined ? text : null;
  const request = new Request('http://localhost/mcp/service', { method: 'POST', headers, body });
  const response = (await isLegacyRequest(request, parsedBody))
    ? await serveHandshakeEra(request, parsedBody, surface)
    : await createMcpHandler(() => createServer(surface), {
        legacy: 'reject',
        // Without a `responseMode`: JSON is answered, since no tool sends notifications, and the mode `json`
        // makes the SDK print a line for each request.
        keepAliveMs: 0,
      }).fetch(request, { parsedBody });
  return {
    status: response.status,
    headers: { 'content-type': response.headers.get('content-type') ?? 'application/json' },
    body: mendMcpError(await response.text()),
  };
}

const jsonHeaders = { 'content-type': 'application/json' };
const batchRefusal = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: ProtocolErrorCode.InvalidRequest, message: 'Batches are not taken' },
});

/** Returns undefined for text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Revisions before 2026-07-28, each request by itself. */
async function serveHandshakeEra(
  request: Request,
  parsedBody: unknown,
  surface: McpSurface,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await createServer(surface).connect(transport);
  return transport.handleRequest(request, { parsedBody });
}

function createServer({ server: info, tools, call }: McpSurface): Server {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async () => ({ tools: tools() }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    try {
      return await call(params.name, params.arguments ?? {});
    } catch (error) {
      if (!(error instanceof McpToolUnknownError)) throw error;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    }
  });
  return server;
}
