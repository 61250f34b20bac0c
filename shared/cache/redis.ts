import { Redis as UpstashRedis } from '@upstash/redis';
import { environment } from '#shared/config/environment.ts';
import type { commands, Transport } from './protocol.ts';
import { Requester } from './requester.ts';
import { createTransport } from './transport.ts';

/**
 * The client of Upstash Redis. All commands of one tick leave as one request. A command rejects with
 * `CacheUnavailableError` if the cache is away or silent for 500 ms, with `CacheCommandError` if the cache refuses it.
 */
export type Redis = Pick<RedisClient, (typeof commands)[number] | 'deferSet'>;

/** The SDK's client over our requester. In a bundle it has only the commands of {@link Redis}. */
export class RedisClient extends UpstashRedis {
  /** See {@link Requester.deferSet}. */
  readonly deferSet: Requester['deferSet'];

  constructor(transport: Transport) {
    const requester = new Requester(transport);
    super(requester);
    this.opts = { automaticDeserialization: false };
    this.deferSet = requester.deferSet.bind(requester);
  }
}

let current: Redis | undefined;

/** The client of this process. */
export function redis(): Redis {
  const { redisUrl, redisToken } = environment();
  current ??= new RedisClient(createTransport({ url: redisUrl, token: redisToken }));
  return current;
}
