import { exchange, guardedAgents } from './exchange.ts';
import { OutboundError } from './outbound-error.ts';

export interface OutboundRequest {
  /** Absolute http or https URL. */
  url: string;
  /** @default 'GET' */
  method?: 'GET' | 'POST';
  /** With a body, `content-type` is `application/json` by default. */
  headers?: Record<string, string>;
  /** Sent byte for byte, so that a signature stays valid. */
  body?: string;
  /** How long the request may take in all, in milliseconds. @default 5000 */
  timeoutMs?: number;
}

const maxBytes = 1_048_576;

/**
 * Asks another service for JSON, up to 1 MiB. The content type is not checked: WeChat's is `text/plain`. If a kept
 * connection was lost, the request is sent again, also a POST: a message may arrive twice, instead of not at all.
 *
 * @returns an answer of any status except a redirect; its `body` is untrusted
 * @throws OutboundError with the reason of the failure; a redirect is a failure, never followed
 */
export async function requestJson(
  request: OutboundRequest,
  agents = guardedAgents(),
): Promise<{ status: number; body: unknown }> {
  const { url, method, body, timeoutMs = 5000 } = request;
  const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...request.headers };
  const parts = body === undefined ? [] : [Buffer.from(body)];
  const sent = { url, method, headers, body: parts, timeoutMs, maxBytes, isRepeatable: true };
  const { status, bytes } = await exchange(sent, agents);
  try {
    return { status, body: JSON.parse(bytes.toString()) };
  } catch {
    // The parser's message quotes the answer, which may contain a secret.
    throw new OutboundError('not_json', `${new URL(url).hostname} answered ${status} without JSON`, status);
  }
}
