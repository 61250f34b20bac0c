import type { UpstashRequest, UpstashResponse } from '@upstash/redis';
import { log } from '#shared/log/log.ts';
import {
  CacheCommandError,
  CacheUnavailableError,
  type Command,
  type RedisResult,
  type Reply,
  type Transport,
} from './protocol.ts';

/** What the SDK sends its commands through. */
export interface Requester {
  request<Result>(request: UpstashRequest): Promise<UpstashResponse<Result>>;
  /**
   * Keeps a command until the next request leaves, and sends it in front of that request's commands. So a write that
   * no answer waits for costs no round trip and leaves no work behind the answer. A newer command of the same `slot`
   * replaces an older one. At most 64 are kept; the oldest are dropped.
   *
   * @param expiresInSeconds the command is dropped when it is older than this
   * @param send sends the command; gets its age in seconds
   */
  defer(slot: string, expiresInSeconds: number, send: (ageSeconds: number) => Promise<unknown>): void;
}

interface Deferred {
  at: number;
  expiresInSeconds: number;
  send(ageSeconds: number): Promise<unknown>;
}

/** The longest deferred command that travels with others, and the most that travel together, in characters. */
const smallCharacters = 32_768;
const togetherCharacters = 131_072;

/** The most deferred commands that are kept. */
const deferredLimit = 64;

const measure = (command: Command): number =>
  command.reduce<number>((sum, part) => sum + String(part).length, 0);

/**
 * Collects the commands that are sent in one tick, and sends them as one pipeline.
 *
 * @param transport how a pipeline travels
 */
export function createRequester(transport: Transport): Requester {
  let queue: Queued[] = [];
  /** Set while deferred commands are sent: they go in front of the queue. */
  let front: Queued[] | undefined;
  const deferred = new Map<string, Deferred>();

  function flush(): void {
    const { small, large } = takeDeferred();
    const batch = [...small, ...queue];
    queue = [];
    sendBatch(batch);
    for (const entry of large) sendBatch([entry]);
  }

  function sendBatch(queued: Queued[]): void {
    const batch = mergeReads(queued);
    transport(batch.map(({ command }) => command)).then(
      (replies) => {
        for (const [index, entry] of batch.entries()) settle(entry, replies[index]);
      },
      (error: Error) => {
        for (const { reject } of batch) reject(error);
      },
    );
  }

  /** Deferred commands that are not too old. A large one travels alone, so that it delays no other command. */
  function takeDeferred(): { small: Queued[]; large: Queued[] } {
    front = [];
    for (const { at, expiresInSeconds, send } of deferred.values()) {
      const ageSeconds = Math.ceil((Date.now() - at) / 1000);
      if (ageSeconds < expiresInSeconds) send(ageSeconds).catch(reportLostFill);
    }
    deferred.clear();
    const small: Queued[] = [];
    const large: Queued[] = [];
    let together = 0;
    for (const entry of front) {
      const length = measure(entry.command);
      together += length;
      (length > smallCharacters || together > togetherCharacters ? large : small).push(entry);
    }
    front = undefined;
    return { small, large };
  }

  function enqueue(command: Command): Promise<RedisResult> {
    return new Promise((resolve, reject) => {
      const entry = { command, resolve, reject };
      if (front) return void front.push(entry);
      // nextTick runs after all microtasks: after everything that this tick sends.
      if (queue.length === 0) queueMicrotask(() => process.nextTick(flush));
      queue.push(entry);
    });
  }

  return {
    async request<Result>({ body }: UpstashRequest) {
      return { result: (await enqueue(body as Command)) as Result };
    },
    defer(slot, expiresInSeconds, send) {
      deferred.delete(slot);
      deferred.set(slot, { at: Date.now(), expiresInSeconds, send });
      const [oldest] = deferred.keys();
      if (deferred.size > deferredLimit && oldest) deferred.delete(oldest);
    },
  };
}

function settle({ resolve, reject }: Queued, reply: Reply | undefined): void {
  if (reply === undefined) reject(new CacheUnavailableError('the cache left a command unanswered'));
  else if (reply.error !== undefined) reject(new CacheCommandError(reply.error));
  else resolve(reply.result ?? null);
}

// A fill that is lost costs one more read of the database, nothing else.
function reportLostFill(error: unknown): void {
  log.warn('cache.fill_lost', { error });
}

/** A command that waits for its reply. */
export interface Queued {
  command: Command;
  resolve(result: RedisResult): void;
  reject(error: Error): void;
}

const isRead = ({ command: [name] }: Queued): boolean => name === 'mget';

/**
 * Makes one of all `MGET`s that travel together: Upstash bills by the command. It stands where the last one
 * did, so that a read still follows the writes that were sent before it.
 */
export function mergeReads(batch: readonly Queued[]): readonly Queued[] {
  const reads = batch.filter(isRead);
  const last = reads.at(-1);
  if (reads.length < 2 || !last) return batch;
  const merged: Queued = {
    command: ['mget', ...reads.flatMap(({ command: [, ...keys] }) => keys)],
    resolve: (result) => deal(reads, Array.isArray(result) ? result : []),
    reject: (error) => {
      for (const { reject } of reads) reject(error);
    },
  };
  return batch.flatMap((entry) => (entry === last ? merged : isRead(entry) ? [] : entry));
}

/** Hands every read its part of the reply. */
function deal(reads: readonly Queued[], cells: readonly RedisResult[]): void {
  let at = 0;
  for (const { command, resolve } of reads) {
    const end = at + command.length - 1;
    resolve(cells.slice(at, end));
    at = end;
  }
}
