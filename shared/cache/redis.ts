import { environment } from '#shared/config/environment.ts';
import { log } from '#shared/log/log.ts';
import { mergeReads, type Queued } from './merge-reads.ts';
import {
  CacheCommandError,
  CacheUnavailableError,
  type Command,
  type RedisResult,
  type Transport,
} from './protocol.ts';
import { createTransport } from './transport.ts';

/** Commands to Upstash Redis; all that are sent in one tick leave as one request. */
export interface Redis {
  /**
   * @throws CacheUnavailableError when the cache is away or silent for 500 ms
   * @throws CacheCommandError when it refuses the command
   */
  send(command: Command): Promise<RedisResult>;
  /**
   * Keeps a command until the next request leaves, in whose front it then rides: a write that nobody waits
   * for costs no round trip and leaves no work behind the answer. Dropped when it is older than
   * `expiresInSeconds`; a newer one of the same `slot` takes its place. `command` is told how old it has
   * become, in seconds.
   */
  defer(slot: string, expiresInSeconds: number, command: (ageSeconds: number) => Command): void;
}

interface Deferred {
  at: number;
  expiresInSeconds: number;
  command(ageSeconds: number): Command;
}

/** Longest deferred command that rides with others, and the most that ride together, in characters. */
const smallCharacters = 32_768;
const ridingCharacters = 131_072;

const measure = (command: Command): number =>
  command.reduce<number>((sum, part) => sum + String(part).length, 0);

/** The most deferred commands that are kept; past it the oldest go. */
const deferredLimit = 64;

/**
 * A client of Upstash's REST protocol.
 *
 * @param transport how a pipeline travels
 */
export function createRedis(transport: Transport): Redis {
  let queue: Queued[] = [];
  const deferred = new Map<string, Deferred>();

  function flush(): void {
    const { small, large } = takeDeferred();
    const batch = [...small, ...queue];
    queue = [];
    carry(batch);
    for (const entry of large) carry([entry]);
  }

  function carry(queued: Queued[]): void {
    const batch = mergeReads(queued);
    transport(batch.map((entry) => entry.command)).then(
      (replies) => {
        for (const [index, entry] of batch.entries()) settle(entry, replies[index]);
      },
      (error: Error) => {
        for (const entry of batch) entry.reject(error);
      },
    );
  }

  /** Deferred commands that are still good; a large one travels alone, so that it delays and fails nobody. */
  function takeDeferred(): { small: Queued[]; large: Queued[] } {
    const small: Queued[] = [];
    const large: Queued[] = [];
    let riding = 0;
    for (const { at, expiresInSeconds, command } of deferred.values()) {
      const ageSeconds = Math.ceil((Date.now() - at) / 1000);
      if (ageSeconds >= expiresInSeconds) continue;
      const entry = { command: command(ageSeconds), resolve: () => {}, reject: reportDeferred };
      const length = measure(entry.command);
      riding += length;
      (length > smallCharacters || riding > ridingCharacters ? large : small).push(entry);
    }
    deferred.clear();
    return { small, large };
  }

  return {
    send(command) {
      return new Promise((resolve, reject) => {
        // nextTick runs when the microtasks are drained: after everything that this tick issues.
        if (queue.length === 0) queueMicrotask(() => process.nextTick(flush));
        queue.push({ command, resolve, reject });
      });
    },
    defer(slot, expiresInSeconds, command) {
      deferred.delete(slot);
      deferred.set(slot, { at: Date.now(), expiresInSeconds, command });
      const [oldest] = deferred.keys();
      if (deferred.size > deferredLimit && oldest) deferred.delete(oldest);
    },
  };
}

function settle(
  { resolve, reject }: Queued,
  reply: { result?: RedisResult; error?: string } | undefined,
): void {
  if (reply === undefined) reject(new CacheUnavailableError('the cache left a command unanswered'));
  else if (reply.error !== undefined) reject(new CacheCommandError(reply.error));
  else resolve(reply.result ?? null);
}

// A deferred fill that is lost costs one more read of the database, nothing else.
function reportDeferred(error: Error): void {
  log.warn('cache.fill_lost', { error });
}

let current: Redis | undefined;

/** The client of this process, on the environment's endpoint. */
export function redis(): Redis {
  const { redisUrl, redisToken } = environment();
  current ??= createRedis(createTransport({ url: redisUrl, token: redisToken }));
  return current;
}
