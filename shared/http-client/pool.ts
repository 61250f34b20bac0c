import { type Connection, createConnector, UnansweredError } from './connection.ts';
import type { HttpResponse } from './response-reader.ts';

/** No whole response came in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Connections to one origin. */
export interface Pool {
  /**
   * Sends a request that may be carried out twice: where a kept connection turns out closed it is sent once
   * more, over a new one, since a frozen function's sockets are reset while it sleeps.
   *
   * @param message head and body as they travel
   * @param timeoutMs how long it may take in all, in milliseconds
   * @throws TimeoutError, UnansweredError, HttpSyntaxError, or what the socket or TLS found
   */
  send(message: string, timeoutMs: number): Promise<HttpResponse>;
  /** Ends the connections that nobody uses. */
  close(): void;
}

/**
 * Keeps connections of HTTP/1.1 for the next request. `fetch` would load undici, which costs a cold start as
 * much as Node itself, and `node:http` costs a warm request about as much as everything else in it.
 *
 * @param origin protocol, host and port of it are used
 */
export function createPool(origin: URL): Pool {
  const connect = createConnector(origin);
  const idle: Connection[] = [];

  function takeIdle(): Connection | undefined {
    for (let found = idle.pop(); found; found = idle.pop()) if (found.isOpen) return found;
    return undefined;
  }

  function closeIdle(error: Error): void {
    for (const connection of idle.splice(0)) connection.destroy(error);
  }

  async function sendOver(connection: Connection, message: string, limit: Limit): Promise<HttpResponse> {
    let lastTurn: NodeJS.Immediate | undefined;
    const giveUp = () => connection.destroy(new TimeoutError(`no answer in ${limit.timeoutMs} ms`));
    // One more turn of the loop: an answer that came while this process was busy still counts.
    const timer = setTimeout(() => (lastTurn = setImmediate(giveUp)), Math.max(0, limit.at - Date.now()));
    try {
      const response = await connection.send(message);
      if (response.isKept) idle.push(connection);
      return response;
    } finally {
      clearTimeout(timer);
      clearImmediate(lastTurn);
    }
  }

  return {
    async send(message, timeoutMs) {
      const limit = { timeoutMs, at: Date.now() + timeoutMs };
      const kept = takeIdle();
      if (!kept) return sendOver(connect(), message, limit);
      return sendOver(kept, message, limit).catch((error) => {
        // The others have been idle for as long.
        closeIdle(error);
        if (!(error instanceof UnansweredError)) throw error;
        return sendOver(connect(), message, limit);
      });
    },
    close: () => closeIdle(new Error('the pool was closed')),
  };
}

interface Limit {
  timeoutMs: number;
  /** When it is reached, in milliseconds of the epoch. */
  at: number;
}
