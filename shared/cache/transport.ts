import { urlToHttpOptions } from 'node:url';
import { Deadline, httpModuleOf, readBytes, send } from '#shared/net/http-client.ts';
import { CacheUnavailableError, type Transport } from './protocol.ts';

interface TransportOptions {
  /** Base URL of the REST endpoint, without a trailing slash. */
  url: string;
  token: string;
  /** Limit of a whole request, in milliseconds. @default 500 */
  timeoutMs?: number;
}

/** Sends pipelines over kept-alive connections. */
export function createTransport({ url, token, timeoutMs = 500 }: TransportOptions): Transport {
  const target = urlToHttpOptions(new URL(`${url}/pipeline`));
  const agent = new (httpModuleOf(target).Agent)({ keepAlive: true });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  async function post(body: Buffer): Promise<string> {
    const deadline = new Deadline(timeoutMs);
    try {
      const response = await send({ target, method: 'POST', headers, body: [body], agent, deadline });
      const text = (await readBytes(response)).toString();
      if (response.statusCode === 200) return text;
      const advice = response.statusCode === 401 ? ': check UPSTASH_REDIS_REST_TOKEN' : '';
      throw new CacheUnavailableError(`the cache answered ${response.statusCode}${advice}`);
    } catch (error) {
      throw deadline.isOver ? new Error(`no answer in ${timeoutMs} ms`) : error;
    } finally {
      deadline.stop();
    }
  }

  return async (commands) => {
    try {
      const replies: unknown = JSON.parse(await post(Buffer.from(JSON.stringify(commands))));
      if (Array.isArray(replies)) return replies;
      throw new CacheUnavailableError('the cache did not answer a list of replies');
    } catch (cause) {
      if (cause instanceof CacheUnavailableError) throw cause;
      throw new CacheUnavailableError('the cache cannot be reached', { cause });
    }
  };
}
