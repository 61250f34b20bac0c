import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import type { RedisResult } from '#shared/cache/protocol.ts';
import { type Redis, redis } from '#shared/cache/redis.ts';
import { log } from '#shared/log/log.ts';

export interface HeldToken {
  token: string;
  /** Until when it is used, in milliseconds since 1970. */
  expiresAt: number;
}

/** Where the processes of the service share an account's access token. */
export interface TokenStore {
  /**
   * The shared token if it is good, else a fetched one, which is shared then. Between processes one fetches
   * while the others wait for it, at most 2 s. Without the cache each process fetches for itself.
   *
   * @throws whatever `fetchToken` throws
   */
  obtain(isGood: (held: HeldToken) => boolean, fetchToken: () => Promise<HeldToken>): Promise<HeldToken>;
}

export interface TokenStoreOptions {
  client?(): Redis;
  /** Between two looks at the cache, 100 ms by default. */
  pause?(): Promise<unknown>;
  /** The time in milliseconds. @default Date.now */
  now?(): number;
}

/** Longer than the fetch can take, so that it lapses only where its holder died. */
const lockSeconds = 10;
const maxLooks = 20;

const heldToken = z.object({ token: z.string().check(z.minLength(1)), expiresAt: z.number() });

/** The store of an account, under `service:wechat:access-token:{appId}`. */
export function createTokenStore(appId: string, options: TokenStoreOptions = {}): TokenStore {
  const { client = redis, pause = () => wait(100), now = Date.now } = options;
  const key = `service:wechat:access-token:${appId}`;
  const lock = `${key}:lock`;

  const look = async () => parseHeld(await client().get<RedisResult>(key));

  /** Asks for the lock and looks once more in one request: a token may have come since the last look. */
  async function lookAndLock() {
    const [reply, cell] = await settleAll([
      client().set(lock, 1, { nx: true, ex: lockSeconds }),
      client().get<RedisResult>(key),
    ]);
    return { isLocked: reply === 'OK', held: parseHeld(cell) };
  }

  /** Lets the lock go, after the token where there is one. */
  async function release(held?: HeldToken): Promise<void> {
    const seconds = held ? Math.floor((held.expiresAt - now()) / 1000) : 0;
    const sharing = seconds > 0 ? [client().set(key, JSON.stringify(held), { ex: seconds })] : [];
    await settleAll([...sharing, client().del(lock)]);
  }

  async function fetchAndShare(fetchToken: () => Promise<HeldToken>): Promise<HeldToken> {
    let held: HeldToken | undefined;
    try {
      held = await fetchToken();
      return held;
    } finally {
      // The token is good without the cache; the lock lapses by itself.
      await release(held).catch(report);
    }
  }

  return {
    async obtain(isGood, fetchToken) {
      try {
        const shared = await look();
        if (shared && isGood(shared)) return shared;
      } catch (error) {
        // Without the cache nobody can wait for another; stable tokens make that harmless.
        report(error);
        return fetchToken();
      }
      for (let looks = 0; looks < maxLooks; looks += 1) {
        const { isLocked, held } = await lookAndLock().catch(unlocked);
        if (held && isGood(held)) {
          if (isLocked) await release().catch(report);
          return held;
        }
        if (isLocked) return fetchAndShare(fetchToken);
        await pause();
      }
      // Its holder is slow or dead. Two that fetch at once get the same stable token.
      return fetchAndShare(fetchToken);
    },
  };
}

function unlocked(error: unknown): { isLocked: boolean; held: HeldToken | undefined } {
  report(error);
  return { isLocked: true, held: undefined };
}

function report(error: unknown): void {
  log.warn('wechat.token_cache_failed', { error });
}

function parseHeld(cell: RedisResult): HeldToken | undefined {
  if (typeof cell !== 'string') return undefined;
  try {
    const parsed = heldToken.safeParse(JSON.parse(cell));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined; // Not an entry of ours: as good as none.
  }
}
