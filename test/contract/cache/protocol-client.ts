import { request } from 'node:http';

/** An endpoint under test. */
export interface ProtocolTarget {
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}

export interface RawAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
}

/** Sends one request without a client library. */
export function send(
  url: string,
  { method = 'POST', path = '/', body, headers = {} }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) });
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** Binds {@link send} to a target, with its token and a JSON body. */
export function createSender(target: () => ProtocolTarget) {
  return (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(target().url, {
      path,
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${target().token}`, ...headers },
    });
}
