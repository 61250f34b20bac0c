import { createPool } from '#shared/http-client/pool.ts';
import { CacheUnavailableError, type Reply, type Transport } from './protocol.ts';

export interface TransportOptions {
  /** Base URL of the REST endpoint, without a trailing slash. */
  url: string;
  token: string;
  /** How long a request may take in all, in milliseconds. @default 500 */
  timeoutMs?: number;
}

/** Carries pipelines over kept-alive connections. */
export function createTransport({ url, token, timeoutMs = 500 }: TransportOptions): Transport {
  const target = new URL(`${url}/pipeline`);
  const pool = createPool(target);
  const head = [
    `POST ${target.pathname} HTTP/1.1`,
    `host: ${target.host}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    'content-length: ',
  ].join('\r\n');

  async function post(body: string): Promise<string> {
    const answer = await pool.send(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`, timeoutMs);
    if (answer.status !== 200) throw new CacheUnavailableError(`the cache answered ${answer.status}`);
    return answer.body.toString();
  }

  return async (commands) => {
    try {
      return parseReplies(await post(JSON.stringify(commands)));
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
