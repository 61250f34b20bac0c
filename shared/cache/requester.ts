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

/** A longer deferred value travels alone; no more than the second limit travel together. Both in characters. */
const smallCharacters = 32_768;
const togetherCharacters = 131_072;
const deferredLimit = 64;

/** Collects the commands of one tick and sends them as one pipeline. The SDK sends its commands through this. */
export class Requester {
  readonly #transport: Transport;
  #queue: Queued[] = [];
  /** By key; `expiresAt` in Unix milliseconds. */
  readonly #deferred = new Map<string, { value: string; expiresAt: number }>();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async request<Result>({ body }: UpstashRequest): Promise<UpstashResponse<Result>> {
    const { promise, resolve, reject } = Promise.withResolvers<RedisResult>();
    // nextTick runs after all microtasks: after everything that this tick sends.
    if (this.#queue.length === 0) queueMicrotask(() => process.nextTick(() => this.#flush()));
    this.#queue.push({ command: body as Command, resolve, reject });
    return { result: (await promise) as Result };
  }

  /**
   * Keeps a `SET` until the next request leaves, and sends it in front of that request's commands: no answer waits for
   * it, and it costs no round trip. A newer value of a key replaces an older one. At most 64 are kept.
   *
   * @param ttlSeconds lifetime of the entry from now on; the command is dropped when it is over
   */
  deferSet(key: string, value: string, ttlSeconds: number): void {
    this.#deferred.delete(key);
    this.#deferred.set(key, { value, expiresAt: Date.now() + ttlSeconds * 1000 });
    const [oldest] = this.#deferred.keys();
    if (this.#deferred.size > deferredLimit && oldest) this.#deferred.delete(oldest);
  }

  #flush(): void {
    const small: Queued[] = [];
    const large: Queued[] = [];
    let together = 0;
    for (const [key, { value, expiresAt }] of this.#deferred) {
      const leftSeconds = Math.floor((expiresAt - Date.now()) / 1000);
      if (leftSeconds <= 0) continue;
      const command: Command = ['set', key, value, 'ex', leftSeconds];
      // A lost fill only costs one more read of the database.
      const reject = (error: Error) => log.warn('cache.fill_lost', { error });
      const fill: Queued = { command, resolve: () => {}, reject };
      together += value.length;
      (value.length > smallCharacters || together > togetherCharacters ? large : small).push(fill);
    }
    this.#deferred.clear();
    const batch = [...small, ...this.#queue];
    this.#queue = [];
    this.#sendBatch(batch);
    // A large one travels alone, so that it delays no other command.
    for (const fill of large) this.#sendBatch([fill]);
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

interface Queued {
  command: Command;
  resolve(result: RedisResult): void;
  reject(error: Error): void;
}

const isRead = ({ command: [name] }: Queued): boolean => name === 'mget';

/**
 * Joins all `MGET`s of a pipeline into one, because Upstash bills each command. The joined one replaces the
 * last, so that each read still follows the writes before it.
 */
function mergeReads(batch: readonly Queued[]): readonly Queued[] {
  const reads = batch.filter(isRead);
  const last = reads.at(-1);
  if (reads.length < 2 || !last) return batch;
  const merged: Queued = {
    command: ['mget', ...reads.flatMap(({ command: [, ...keys] }) => keys)],
    resolve: (result) => distribute(reads, Array.isArray(result) ? result : []),
    reject: (error) => {
      for (const { reject } of reads) reject(error);
    },
  };
  return batch.flatMap((entry) => (entry === last ? merged : isRead(entry) ? [] : entry));
}

/** Gives each read its part of the reply. */
function distribute(reads: readonly Queued[], cells: readonly RedisResult[]): void {
  let at = 0;
  for (const { command, resolve } of reads) {
    const end = at + command.length - 1;
    resolve(cells.slice(at, end));
    at = end;
  }
}
