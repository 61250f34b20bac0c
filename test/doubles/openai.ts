import { randomUUID } from 'node:crypto';
import { type ChatRequest, readChatRequest } from './openai-rules.ts';
import { type DoubleAnswer, type DoubleRequest, type RunningDouble, serve } from './serve.ts';

/** A call that the model makes; arguments that are text are sent as they are. */
export interface ScriptedCall {
  name: string;
  arguments?: unknown;
}

/** An answer of the model, or a failure. */
export type Turn =
  | { content?: string | null; calls?: ScriptedCall[]; usage?: unknown }
  | { status: number; body: unknown }
  | 'never'
  | ((request: ChatRequest) => Turn);

export interface OpenAiDouble extends RunningDouble {
  /** What a client is given as base URL. */
  baseUrl: string;
  /** Good requests so far. */
  requests: ChatRequest[];
  /** The model's answers, turn by turn; the last one is repeated. */
  script(...turns: Turn[]): void;
}

/**
 * An API as OpenAI's, by its public documentation, as far as chats with tools go: `POST {base}/chat/completions`
 * checks key, model and the rules of messages and tools, and says what a test has scripted.
 */
export async function startOpenAi(options: { key: string; model: string }): Promise<OpenAiDouble> {
  const requests: ChatRequest[] = [];
  let turns: Turn[] = [];

  function say(turn: Turn, request: ChatRequest): DoubleAnswer | Promise<DoubleAnswer> {
    if (typeof turn === 'function') return say(turn(request), request);
    if (turn === 'never') return new Promise(() => {});
    return 'status' in turn ? turn : { body: toCompletion(turn, request) };
  }

  function answer({ method, path, headers, body }: DoubleRequest): DoubleAnswer | Promise<DoubleAnswer> {
    if (`${method} ${path}` !== 'POST /v1/chat/completions') return refuse(404, 'unknown_url', path);
    const key = headers.authorization?.replace(/^Bearer /, '');
    if (key !== options.key) return refuse(401, 'invalid_api_key', `Incorrect API key provided: ${key}`);
    const request = readChatRequest(body);
    if (typeof request === 'string') return refuse(400, 'invalid_request', request);
    if (request.model !== options.model) return refuse(404, 'model_not_found', request.model);
    requests.push(request);
    const turn = turns.length > 1 ? turns.shift() : turns[0];
    return turn ? say(turn, request) : refuse(500, 'server_error', 'nothing is scripted');
  }

  const running = await serve(answer);
  return {
    ...running,
    baseUrl: `${running.url}/v1`,
    requests,
    script: (...next) => {
      turns = next;
    },
  };
}

function refuse(status: number, code: string, message: string): DoubleAnswer {
  return { status, body: { error: { message, type: 'invalid_request_error', param: null, code } } };
}

function toCompletion(
  { content = null, calls = [], usage }: { content?: string | null; calls?: ScriptedCall[]; usage?: unknown },
  { model }: ChatRequest,
) {
  const tool_calls = calls.map(({ name, arguments: given = {} }) => ({
    id: `call_${randomUUID()}`,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }));
  const message = {
    ...{ role: 'assistant', content, refusal: null, annotations: [] },
    ...(tool_calls.length > 0 && { tool_calls }),
  };
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [
      { index: 0, message, logprobs: null, finish_reason: tool_calls.length > 0 ? 'tool_calls' : 'stop' },
    ],
    usage: usage ?? { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    system_fingerprint: null,
  };
}
