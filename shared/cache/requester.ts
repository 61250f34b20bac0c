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

interface Deferred {
  at: number;
  expiresInSeconds: number;
  send(ageSeconds: number): Promise<unknown>;
}

/** A longer deferred command travels alone; no more than the second limit travel together. Both in characters. */
const smallCharacters = 32_768;
const togetherCharacters = 131_072;
const deferredLimit = 64;

const measure = (command: Command): number =>
  command.reduce<number>((sum, part) => sum + String(part).length, 0);

/** Collects the commands of one tick and sends them as one pipeline. The SDK sends its commands through this. */
export class Requester {
  readonly #transport: Transport;
  #queue: Queued[] = [];
  /** Set while deferred commands are sent: they go in front of the queue. */
  #front: Queued[] | undefined;
  readonly #deferred = new Map<string, Deferred>();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async request<Result>({ body }: UpstashRequest): Promise<UpstashResponse<Result>> {
    return { result: (await this.#enqueue(body as Command)) as Result };
  }

  /**
   * Keeps a command until the next request leaves, and sends it in front of that request's commands. Use it for a
   * write that no answer waits for: it costs no round trip and no work after the answer. A newer command of the same
   * `slot` replaces an older one. At most 64 are kept; the oldest are dropped.
   *
   * @param expiresInSeconds the command is dropped when it is older than this
   * @param send sends the command; gets its age in seconds
   */
  defer(slot: string, expiresInSeconds: number, send: (ageSeconds: number) => Promise<unknown>): void {
    this.#deferred.delete(slot);
    this.#deferred.set(slot, { at: Date.now(), expiresInSeconds, send });
    const [oldest] = this.#deferred.keys();
    if (this.#deferred.size > deferredLimit && oldest) this.#deferred.delete(oldest);
  }

  #enqueue(command: Command): Promise<RedisResult> {
    return new Promise((resolve, reject) => {
      const entry = { command, resolve, reject };
      if (this.#front) return void this.#front.push(entry);
      // nextTick runs after all microtasks: after everything that this tick sends.
      if (this.#queue.length === 0) queueMicrotask(() => process.nextTick(() => this.#flush()));
      this.#queue.push(entry);
    });
  }

  #flush(): void {
    const { small, large } = this.#takeDeferred();
    const batch = [...small, ...this.#queue];
    this.#queue = [];
    this.#sendBatch(batch);
    for (const entry of large) this.#sendBatch([entry]);
  }

  /** Deferred commands that are not too old. A large one travels alone, so that it delays no other command. */
  #takeDeferred(): { small: Queued[]; large: Queued[] } {
    const front: Queued[] = [];
    this.#front = front;
    for (const { at, expiresInSeconds, send } of this.#deferred.values()) {
      const ageSeconds = Math.ceil((Date.now() - at) / 1000);
      if (ageSeconds < expiresInSeconds) send(ageSeconds).catch(reportLostFill);
    }
    this.#deferred.clear();
    this.#front = undefined;
    const small: Queued[] = [];
    const large: Queued[] = [];
    let together = 0;
    for (const entry of front) {
      const length = measure(entry.command);
      together += length;
      (length > smallCharacters || together > togetherCharacters ? large : small).push(entry);
    }
    return { small, large };
  }

  #sendBatch(queued: Queued[]): void {
    const batch = mergeReads(queued);
    this.#transport(batch.map(({ command }) => command)).then(
      (replies) => {
        for (const [index, entry] of batch.entries()) settle(entry, replies[index]);
      },
      (error: Error) => {
        for (const { reject } of batch) reject(error);
      },
    );
  }
}

function settle({ resolve, reject }: Queued, reply: Reply | undefined): void {
  if (reply === undefined) reject(new CacheUnavailableError('the cache left a command unanswered'));
  else if (reply.error !== undefined) reject(new CacheCommandError(reply.error));
  else resolve(reply.result ?? null);
}

// A lost fill only costs one more read of the database.
function reportLostFill(error: unknown): void {
  log.warn('cache.fill_lost', { error });
}

interface Queued {
  command: Command;
  resolve(result: RedisResult): void;
  reject(error: Error): void;
}

const isRead = ({ command: [name] }: Queued): boolean => name === 'mget';

/**
 * Joins all `MGET`s of a pipeline into one, because Upstash bills each command. The joined one takes the place of the
 * last, so that each read still follows the writes before it.
 */
function mergeReads(batch: readonly Queued[]): readonly Queued[] {
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

/** Gives each read its part of the reply. */
function deal(reads: readonly Queued[], cells: readonly RedisResult[]): void {
  let at = 0;
  for (const { command, resolve } of reads) {
    const end = at + command.length - 1;
    resolve(cells.slice(at, end));
    at = end;
  }
}
