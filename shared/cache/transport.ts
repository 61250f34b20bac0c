import { type Connection, createConnector, UnansweredError } from './http/connection.ts';
import { CacheUnavailableError, type Reply, type Transport } from './protocol.ts';

export interface TransportOptions {
  /** Base URL of the REST endpoint, without a trailing slash. */
  url: string;
  token: string;
  /** How long a request may take in all, in milliseconds. @default 500 */
  timeoutMs?: number;
}

/**
 * Carries pipelines over kept-alive connections. `fetch` would load undici, which costs a cold start as much as
 * Node itself, and `node:http` costs a warm request about as much as everything else in it. A request whose
 * kept connection turns out closed is sent once more, since a frozen function's sockets are reset while it
 * sleeps.
 */
export function createTransport({ url, token, timeoutMs = 500 }: TransportOptions): Transport {
  const target = new URL(`${url}/pipeline`);
  const connect = createConnector(target);
  const head = [
    `POST ${target.pathname} HTTP/1.1`,
    `host: ${target.host}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    'content-length: ',
  ].join('\r\n');
  const idle: Connection[] = [];

  function takeIdle(): Connection | undefined {
    for (let found = idle.pop(); found; found = idle.pop()) if (found.isOpen) return found;
    return undefined;
  }

  async function post(body: string, deadline: number): Promise<string> {
    const message = `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`;
    const kept = takeIdle();
    if (!kept) return sendOver(connect(), message, deadline);
    return sendOver(kept, message, deadline).catch((error) => {
      if (!(error instanceof UnansweredError)) throw error;
      // The others have been idle for as long.
      for (const other of idle.splice(0)) other.destroy(error);
      return sendOver(connect(), message, deadline);
    });
  }

  async function sendOver(connection: Connection, message: string, deadline: number): Promise<string> {
    let lastTurn: NodeJS.Immediate | undefined;
    const giveUp = () => connection.destroy(new Error(`no answer in ${timeoutMs} ms`));
    // One more turn of the loop: an answer that came while this process was busy still counts.
    const timer = setTimeout(() => (lastTurn = setImmediate(giveUp)), Math.max(0, deadline - Date.now()));
    try {
      const { status, body, isKept } = await connection.send(message);
      if (isKept) idle.push(connection);
      if (status !== 200) throw new CacheUnavailableError(`the cache answered ${status}`);
      return body.toString();
    } finally {
      clearTimeout(timer);
      clearImmediate(lastTurn);
    }
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
