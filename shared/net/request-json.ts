import { exchange } from './exchange.ts';
import {
  createGuardedAgents,
  type GuardedAgents,
  guardedAgents,
  type OutboundPolicy,
} from './guarded-agents.ts';
import { OutboundError } from './outbound-error.ts';

/** A request to another service. */
export interface OutboundRequest {
  /** Absolute http or https URL; plain http is spoken only where it says so. */
  url: string;
  /** @default 'GET' */
  method?: 'GET' | 'POST';
  /** Sent as they stand; `content-type` is `application/json` by default where there is a body. */
  headers?: Record<string, string>;
  /** Sent byte for byte, so that a signature over it holds. */
  body?: string;
  /** How long the request may take in all, in milliseconds. @default 5000 */
  timeoutMs?: number;
}

/** An answer, whatever its status but a redirect. */
export interface OutboundResponse {
  status: number;
  /** The parsed JSON; untrusted. */
  body: unknown;
}

export type RequestJson = (request: OutboundRequest) => Promise<OutboundResponse>;

/** Most bytes of an answer: 1 MiB. */
const maxBytes = 1_048_576;
const jsonBody = { 'content-type': 'application/json' };

/** A requester with connections of its own, kept alive. See {@link requestJson}. */
export function createRequestJson(policy: OutboundPolicy): RequestJson {
  const agents = createGuardedAgents(policy);
  return (request) => ask(request, agents);
}

/**
 * Asks another service for JSON, whatever the answer's content type says: WeChat's is `text/plain`. Answers of
 * any status but 3xx are returned, up to 1 MiB. Where a kept connection turns out to be lost before an answer
 * the request is sent again, a POST too: at worst a message comes twice, instead of not at all.
 *
 * @throws OutboundError whose `reason` says why there is no answer; a redirect is a failure, never followed
 */
export function requestJson(request: OutboundRequest): Promise<OutboundResponse> {
  return ask(request, guardedAgents());
}

async function ask(request: OutboundRequest, agents: GuardedAgents): Promise<OutboundResponse> {
  const { url, method, body, timeoutMs = 5000 } = request;
  const headers = { ...(body === undefined ? {} : jsonBody), ...request.headers };
  const parts = body === undefined ? [] : [Buffer.from(body)];
  const sent = { url, method, headers, body: parts, timeoutMs, maxBytes, isRepeatable: true };
  const { status, bytes } = await exchange(sent, agents);
  try {
    return { status, body: JSON.parse(bytes.toString()) };
  } catch {
    // The parser's message quotes the answer, which may echo a secret.
    throw new OutboundError('not_json', `${new URL(url).hostname} answered ${status} without JSON`, status);
  }
}
