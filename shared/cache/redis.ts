import { Redis as UpstashRedis } from '@upstash/redis';
import { environment } from '#shared/config/environment.ts';
import { withPrefix } from './prefix.ts';
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
  current ??= createClient();
  return current;
}

function createClient(): Redis {
  const { redisUrl, redisToken, cachePrefix } = environment();
  const transport = createTransport({ url: redisUrl, token: redisToken });
  return new RedisClient(cachePrefix ? withPrefix(transport, cachePrefix) : transport);
}
