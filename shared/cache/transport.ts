import http, { type IncomingMessage } from 'node:http';
import { urlToHttpOptions } from 'node:url';
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
  const target = new URL(`${url}/pipeline`);
  // Loading TLS costs milliseconds, so it is loaded only if the URL asks for it.
  const client = target.protocol === 'https:' ? process.getBuiltinModule('node:https') : http;
  const agent = new client.Agent({ keepAlive: true });
  const options = { ...urlToHttpOptions(target), agent, method: 'POST' };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  function post(body: string, deadline: number, isRetry = false): Promise<string> {
    return new Promise((resolve, reject) => {
      const withLength = { ...headers, 'content-length': Buffer.byteLength(body) };
      const request = client.request({ ...options, headers: withLength }, (response) => {
        readText(response).then(resolve, reject);
      });
      let readBefore = 0;
      request.on('socket', (socket) => {
        readBefore = socket.bytesRead;
      });
      request.on('error', (error) => {
        const isUnanswered = request.socket?.bytesRead === readBefore;
        // The other idle connections are as old as this one.
        closeIdle(agent);
        // Connections are reset while the function is frozen: send once more, over a new connection.
        const mayRetry = request.reusedSocket && isUnanswered && isReset(error) && !isRetry;
        if (mayRetry) resolve(post(body, deadline, true));
        else reject(error);
      });
      const stopTimer = startTimer(deadline, () => {
        request.destroy(new Error(`no answer in ${timeoutMs} ms`));
      });
      request.on('close', stopTimer);
      request.end(body);
    });
  }

  return async (commands) => {
    try {
      const replies: unknown = JSON.parse(await post(JSON.stringify(commands), Date.now() + timeoutMs));
      if (Array.isArray(replies)) return replies;
      throw new CacheUnavailableError('the cache did not answer a list of replies');
    } catch (cause) {
      if (cause instanceof CacheUnavailableError) throw cause;
      throw new CacheUnavailableError('the cache cannot be reached', { cause });
    }
  };
}

/**
 * Calls `giveUp` one turn of the event loop after the deadline, so that an answer that arrived while this process was
 * busy still counts. Returns a function that cancels it.
 */
function startTimer(deadline: number, giveUp: () => void): () => void {
  let lastTurn: NodeJS.Immediate | undefined;
  const timer = setTimeout(
    () => {
      lastTurn = setImmediate(giveUp);
    },
    Math.max(0, deadline - Date.now()),
  );
  return () => {
    clearTimeout(timer);
    clearImmediate(lastTurn);
  };
}

const isReset = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';

function closeIdle(agent: http.Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}

function readText(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part));
    response.on('error', reject);
    response.on('end', () => {
      const { statusCode } = response;
      if (statusCode === 200) return resolve(Buffer.concat(parts).toString());
      const advice = statusCode === 401 ? ': check UPSTASH_REDIS_REST_TOKEN' : '';
      reject(new CacheUnavailableError(`the cache answered ${statusCode}${advice}`));
    });
  });
}
