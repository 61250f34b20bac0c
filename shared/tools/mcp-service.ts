import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { AppError } from '#shared/errors/app-error.ts';

/** The tools of one client. */
export interface McpSurface {
  /** Name of the server, for clients. */
  server: { name: string; title: string; version: string };
  /** What a model should know before it chooses a tool, for clients. */
  instructions?: string;
  tools(): Promise<Tool[]>;
  /**
   * Runs a tool, or asks the user first.
   *
   * @throws McpRefusal if no tool has this name, or if the state is not valid; AppError to refuse the whole request
   */
  call(name: string, args: unknown, more: McpCallMore): Promise<McpToolResult | McpQuestion>;
}

interface McpCallMore {
  /** Undefined if the client cannot ask its user. */
  dialog: McpDialog | undefined;
  /** The trace that the call belongs to (W3C Trace Context). */
  traceparent: string | undefined;
}

/** What a client that can ask its user sends with a call; both undefined before the question. */
export interface McpDialog {
  state?: string | undefined;
  /** What the user has answered. */
  action?: 'accept' | 'decline' | 'cancel' | undefined;
}

/** A question for the user, instead of the result of a call. */
export class McpQuestion {
  readonly text: string;
  /** Returned by the client with the answer. */
  readonly state: string;

  constructor(text: string, state: string) {
    this.text = text;
    this.state = state;
  }
}

export type McpToolResult = CallToolResult;

/** Wrong parameters of the protocol. The client sees the message. */
export class McpRefusal extends Error {
  override readonly name = 'McpRefusal';
}

/** Older revisions require a client to accept both; the answer is always JSON. */
const bothTypes = 'application/json, text/event-stream';
const takesJson = /(?:application\/(?:json|\*)|\*\/\*)/i;

/**
 * Answers one MCP request over Streamable HTTP: revision 2026-07-28, and older ones with their handshake.
 * There are no sessions and no streams.
 *
 * @param given headers of the POST
 * @param text the body
 * @throws AppError of a call: the SDK would answer it as an error of MCP
 */
export function serveMcp(
  given: Record<string, string | undefined>,
  text: string,
  surface: McpSurface,
): Promise<McpAnswer> {
  const refused = Promise.withResolvers<never>();
  const call: McpSurface['call'] = async (...args) => {
    try {
      return await surface.call(...args);
    } catch (error) {
      if (error instanceof AppError) refused.reject(error);
      throw error;
    }
  };
  return Promise.race([refused.promise, answer(given, text, { ...surface, call })]);
}

interface McpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

async function answer(
  given: Record<string, string | undefined>,
  text: string,
  surface: McpSurface,
): Promise<McpAnswer> {
  const headers = new Headers(
    // `Headers` takes only Latin-1, so the bytes are passed as HTTP carries them.
    Object.entries(given).map(([name, value = '']) => [name, Buffer.from(value).toString('latin1')]),
  );
  // The body parser accepts more JSON content types than the SDK.
  headers.set('content-type', 'application/json');
  if (takesJson.test(headers.get('accept') ?? '*/*')) headers.set('accept', bothTypes);
  const parsedBody = parseJson(text);
  // The served revisions have no batches, and a batch could hold many calls.
  if (Array.isArray(parsedBody)) return { status: 400, headers: jsonHeaders, body: batchRefusal };
  // The SDK reads the body only if it could not be parsed, and then refuses it.
  const body = parsedBody === undefined ? text : null;
  const request = new Request('http://localhost/', { method: 'POST', headers, body });
  const response = (await isLegacyRequest(request, parsedBody))
    ? await serveHandshakeEra(request, parsedBody, surface)
    : await createMcpHandler(() => createServer(surface), {
        legacy: 'reject',
        // No `responseMode`: the answer is JSON anyway because no tool sends notifications, and the mode
        // `json` makes the SDK print a line for each request.
        keepAliveMs: 0,
      }).fetch(request, { parsedBody });
  return {
    status: response.status,
    headers: { 'content-type': response.headers.get('content-type') ?? 'application/json' },
    body: correctMcpError(await response.text()),
  };
}

/** How long a client may use its list of tools. Calls are checked anyway. */
const listTtlMs = 60_000;

const jsonHeaders = { 'content-type': 'application/json' };
const batchRefusal = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: ProtocolErrorCode.InvalidRequest, message: 'Batches are not supported' },
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

function createServer({ server: info, instructions, tools, call }: McpSurface): Server {
  const server = new Server(info, {
    ...(instructions !== undefined && { instructions }),
    capabilities: { tools: {} },
    cacheHints: { 'tools/list': { ttlMs: listTtlMs, cacheScope: 'private' } },
  });
  server.setRequestHandler('tools/list', async () => ({ tools: await tools() }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    try {
      const traceparent = readTraceparent(params._meta?.traceparent);
      const result = await call(params.name, params.arguments ?? {}, {
        dialog: readDialog(mcpReq),
        traceparent,
      });
      return result instanceof McpQuestion ? ask(result) : result;
    } catch (error) {
      if (!(error instanceof McpRefusal)) throw error;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    }
  });
  return server;
}

/** A `traceparent` as W3C Trace Context writes it; undefined for anything else, because it goes into the log. */
function readTraceparent(value: unknown): string | undefined {
  const [, version, trace, span] = traceparentPattern.exec(String(value)) ?? [];
  const isValid =
    version !== undefined && version !== 'ff' && ![trace, span].some((id) => /^0+$/.test(id ?? '0'));
  return isValid ? String(value) : undefined;
}

const traceparentPattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}$/;

type McpRequest = ServerContext['mcpReq'];

/** Only since revision 2026-07-28: earlier clients would need a stream to be asked. */
function readDialog({ envelope, inputResponses, requestState }: McpRequest): McpDialog | undefined {
  const { elicitation } = Object(Object(envelope)[CLIENT_CAPABILITIES_META_KEY]);
  // Without modes, it means forms.
  const canAsk = elicitation && (elicitation.form || !elicitation.url);
  if (!canAsk) return undefined;
  const answer = inputResponse(inputResponses, answerKey);
  return { state: requestState<string>(), action: answer.kind === 'elicit' ? answer.action : undefined };
}

const answerKey = 'confirm';

const ask = ({ text, state }: McpQuestion): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      // Agreeing is the answer: the form has no fields.
      [answerKey]: inputRequired.elicit({
        message: text,
        requestedSchema: { type: 'object', properties: {} },
      }),
    },
    requestState: state,
  });

/**
 * Corrects an internal error of the SDK. Params that do not fit a method's schema become "Invalid params" (the
 * SDK calls them an internal error and quotes its validator). Other internal errors lose their message.
 *
 * @param text body of an answer
 */
export function correctMcpError(text: string): string {
  const { InternalError, InvalidParams } = ProtocolErrorCode;
  if (!text.includes(String(InternalError))) return text;
  const { error, ...answer } = Object(JSON.parse(text));
  if (Object(error).code !== InternalError) return text;
  const corrected = isIssueList(error.message)
    ? { code: InvalidParams, message: 'Invalid params' }
    : { code: InternalError, message: 'Internal error' };
  return JSON.stringify({ ...answer, error: corrected });
}

/** Whether a message is a list of zod issues as JSON. */
function isIssueList(message: string): boolean {
  const issues = parseJson(message);
  return Array.isArray(issues) && issues.every((issue) => Array.isArray(Object(issue).path));
}
