import { lookup as resolveName } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { environment } from '#shared/config/environment.ts';
import { guardLookup } from './guard-lookup.ts';
import { OutboundError } from './outbound-error.ts';
import { parseTarget } from './parse-target.ts';
import { readJson } from './read-json.ts';

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

export interface OutboundPolicy {
  /** Whether hosts on private networks may be reached. */
  allowPrivate: boolean;
  /** Resolves names. @default `dns.lookup` */
  lookup?: LookupFunction;
}

export type RequestJson = (request: OutboundRequest) => Promise<OutboundResponse>;

/** A requester with connections of its own, kept alive. See {@link requestJson}. */
export function createRequestJson({ allowPrivate, lookup = resolveName }: OutboundPolicy): RequestJson {
  const checkedLookup = allowPrivate ? lookup : guardLookup(lookup);
  const agents = {
    'https:': new https.Agent({ keepAlive: true }),
    'http:': new http.Agent({ keepAlive: true }),
  };

  function send(target: URL, request: OutboundRequest, deadline: number): Promise<OutboundResponse> {
    const { method = 'GET', body, timeoutMs = defaultTimeoutMs } = request;
    const [client, agent] =
      target.protocol === 'https:' ? [https, agents['https:']] : [http, agents['http:']];
    const headers = { ...(body === undefined ? {} : jsonBody), ...request.headers };
    return new Promise((resolve, reject) => {
      const options = { method, headers, agent, lookup: checkedLookup };
      const outgoing = client.request(target, options, (incoming) => {
        readJson(incoming, target.hostname)
          .then(resolve, reject)
          .finally(() => clearTimeout(timer));
      });
      const giveUp = () => {
        outgoing.destroy(
          new OutboundError('timeout', `no answer from ${target.hostname} in ${timeoutMs} ms`),
        );
      };
      const timer = setTimeout(giveUp, deadline - Date.now());
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        // A frozen function's sockets are reset while it sleeps: the request never arrived.
        const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (isStale) resolve(send(target, request, deadline));
        else reject(toOutboundError(error, target.hostname));
      });
      outgoing.end(body);
    });
  }

  return async (request) => {
    const target = parseTarget(request.url, allowPrivate);
    return send(target, request, Date.now() + (request.timeoutMs ?? defaultTimeoutMs));
  };
}

const defaultTimeoutMs = 5000;
const jsonBody = { 'content-type': 'application/json' };

function toOutboundError(error: NodeJS.ErrnoException, hostname: string): OutboundError {
  if (error instanceof OutboundError) return error;
  return new OutboundError('unreachable', `${hostname} cannot be reached (${error.code ?? error.name})`);
}

let current: RequestJson | undefined;

/**
 * Asks another service for JSON over a kept-alive `node:https` or `node:http` connection; `fetch` would load
 * undici, which costs a cold start as much as Node itself. The addresses that a name resolves to are checked
 * as the connection is made. Answers of any status but 3xx are returned, up to 1 MiB.
 *
 * @throws OutboundError whose `reason` says why there is no answer; a redirect is a failure, never followed
 */
export function requestJson(request: OutboundRequest): Promise<OutboundResponse> {
  current ??= createRequestJson({ allowPrivate: environment().allowPrivateEndpoints });
  return current(request);
}
