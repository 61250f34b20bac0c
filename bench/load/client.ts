import { Agent, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface LoadRequest {
  method: 'GET' | 'POST';
  /** With the query. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

export interface LoadAnswer {
  status: number;
  requestId: string;
  /** The parsed body; undefined if it is not JSON. */
  json: unknown;
}

export interface LoadClient {
  /** @throws Error of the connection, or after half a minute without an answer */
  ask(request: LoadRequest): Promise<LoadAnswer>;
  close(): void;
}

const timeoutMs = 30_000;

/** Asks over kept connections, one for each that asks at the same time. */
export function createLoadClient(url: string): LoadClient {
  const agent = new Agent({ keepAlive: true });
  const ask = ({ method, path, headers, body }: LoadRequest) =>
    new Promise<LoadAnswer>((resolve, reject) => {
      const options = { method, agent, headers: { ...headers, 'content-length': byteLength(body) } };
      const request = send(new URL(path, url), options, (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        const requestId = String(answered['x-request-id'] ?? '');
        buffer(response).then((bytes) => resolve({ status, requestId, json: parse(bytes) }), reject);
      });
      request.setTimeout(timeoutMs, () => request.destroy(new Error('no answer in time')));
      request.on('error', reject).end(body);
    });
  return { ask, close: () => agent.destroy() };
}

const byteLength = (body: string | Uint8Array = ''): number => Buffer.byteLength(body);

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
