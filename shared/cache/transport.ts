import http from 'node:http';
import { CacheUnavailableError, type Reply, type Transport } from './protocol.ts';

export interface TransportOptions {
  /** Base URL of the REST endpoint, without a trailing slash. */
  url: string;
  token: string;
  /** How long a request may take in all, in milliseconds. @default 500 */
  timeoutMs?: number;
}

/**
 * Carries pipelines over kept-alive `node:https` connections: `fetch` would load undici, which costs a cold
 * start as much as Node itself. A request whose kept connection turns out closed is sent once more, since a
 * frozen function's sockets are reset while it sleeps.
 */
export function createTransport({ url, token, timeoutMs = 500 }: TransportOptions): Transport {
  const target = new URL(`${url}/pipeline`);
  // Loading TLS costs milliseconds; only what the URL asks for is loaded.
  const client = target.protocol === 'https:' ? process.getBuiltinModule('node:https') : http;
  const agent = new client.Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  function post(body: string, deadline: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const request = client.request(target, { method: 'POST', agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          clearTimeout(timer);
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve(text);
          else reject(new CacheUnavailableError(`the cache answered ${response.statusCode}`));
        });
      });
      // One more turn of the loop: an answer that came while this process was busy still counts.
      const giveUp = () => setImmediate(() => request.destroy(new Error(`no answer in ${timeoutMs} ms`)));
      const timer = setTimeout(giveUp, deadline - Date.now());
      request.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (isStale) resolve(post(body, deadline));
        else reject(error);
      });
      request.end(body);
    });
  }

  return async (commands) => {
    try {
      return parseReplies(await post(JSON.stringify(commands), Date.now() + timeoutMs));
    } catch (cause) {
      if (cause instanceof CacheUnavailableError) throw cause;
      throw new CacheUnavailableError('the cache cannot be reached', { cause });
    }
  };
}

function parseReplies(text: string): Reply[] {
  const replies: unknown = JSON.parse(text);
  if (!Array.isArray(replies)) throw new CacheUnavailableError('the cache answered no list of replies');
  return replies;
}
