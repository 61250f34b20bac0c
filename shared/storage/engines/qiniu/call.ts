import { type Exchange, exchange } from '#shared/net/exchange.ts';
import type { Answer } from '#shared/net/read-answer.ts';
import type { FindHosts } from './hosts.ts';
import type { RegionHosts } from './signer.ts';

/** A call to one of Qiniu's services. */
export interface Call {
  /** What is asked for, for the message of a failure. */
  name: string;
  service: keyof RegionHosts;
  /** The request, once the host is known. */
  at(origin: string): Pick<Exchange, 'url' | 'method' | 'headers' | 'body'>;
  /** Statuses that are answers, not failures. */
  expected: readonly number[];
}

/** An expected answer. */
export interface CallAnswer {
  status: number;
  /** Untrusted; an empty object where there was none. */
  body: Record<string, unknown>;
}

const rules = {
  maxBytes: 65_536,
  // What is longer is no JSON, which its failure says with the status.
  isCut: true,
  // Uploads add what is not there, deleting and setting a type find it done.
  isRepeatable: true,
};
/** The host itself is in trouble; the region's others may not be. */
const passing = new Set([500, 502, 503, 504, 599]);
/** Long enough for tokens, signatures and keys, and for no word or host. */
const secretLike = /[\w=-]{20,}/;

/**
 * Calls a service, at the first of its hosts that answers.
 *
 * @param deadline when to give up, in milliseconds since 1970
 * @throws Error for an answer that is not expected; its message tells nothing that a secret could be
 */
export async function call(findHosts: FindHosts, request: Call, deadline: number): Promise<CallAnswer> {
  const { status, bytes } = await exchangeAny(await findHosts(request.service, deadline), request, deadline);
  const body = parse(bytes);
  if (body && request.expected.includes(status)) return { status, body };
  const said =
    typeof body?.error === 'string' && !secretLike.test(body.error) ? `: ${body.error.slice(0, 200)}` : '';
  throw new Error(`Qiniu answered ${status} to ${request.name}${body ? said : ' without JSON'}`);
}

async function exchangeAny(origins: readonly string[], request: Call, deadline: number): Promise<Answer> {
  let failure: unknown;
  for (const [index, origin] of origins.entries()) {
    const isLast = index === origins.length - 1;
    try {
      const answer = await exchange({ ...request.at(origin), ...rules, timeoutMs: deadline - Date.now() });
      if (isLast || !passing.has(answer.status)) return answer;
    } catch (error) {
      failure = error;
      if (Date.now() >= deadline) break;
    }
  }
  throw failure;
}

function parse(bytes: Buffer): Record<string, unknown> | undefined {
  if (bytes.length === 0) return {};
  try {
    const body: unknown = JSON.parse(bytes.toString());
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : undefined;
  } catch {
    return undefined;
  }
}
