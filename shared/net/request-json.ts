import {
  createGuardedAgents,
  exchange,
  type GuardedAgents,
  guardedAgents,
  type OutboundPolicy,
} from './exchange.ts';
import { OutboundError } from './outbound-error.ts';

/** A request to another service. */
export interface OutboundRequest {
  /** Absolute http or https URL. */
  url: string;
  /** @default 'GET' */
  method?: 'GET' | 'POST';
  /** With a body, `content-type` is `application/json` by default. */
  headers?: Record<string, string>;
  /** Sent byte for byte, so that a signature over it holds. */
  body?: string;
  /** How long the request may take in all, in milliseconds. @default 5000 */
  timeoutMs?: number;
}

/** An answer of any status but a redirect. */
export interface OutboundResponse {
  status: number;
  /** The parsed JSON; untrusted. */
  body: unknown;
}

export type RequestJson = (request: OutboundRequest) => Promise<OutboundResponse>;

/** Most bytes of an answer: 1 MiB. */
const maxBytes = 1_048_576;
const jsonBody = { 'content-type': 'application/json' };

/** Like {@link requestJson}, with its own connections. */
export function createRequestJson(policy: OutboundPolicy): RequestJson {
  const agents = createGuardedAgents(policy);
  return (request) => ask(request, agents);
}

/**
 * Asks another service for JSON, up to 1 MiB. The content type is not checked: WeChat's is `text/plain`. If a
 * kept connection turns out to be lost before an answer, the request is sent again, also a POST: a message may
 * then arrive twice, instead of not at all.
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
