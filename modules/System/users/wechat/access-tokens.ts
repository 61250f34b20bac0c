import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import type { RedisResult } from '#shared/cache/protocol.ts';
import { type Redis, redis } from '#shared/cache/redis.ts';
import { log } from '#shared/log/log.ts';
import { callWechat } from './call-wechat.ts';

/** A mini-program or an official account. */
export interface WechatAccount {
  baseUrl: string;
  appId: string;
  secret: string;
}

/** The access tokens of one account. */
export interface AccessTokens {
  /** A valid token, as far as is known. Many calls at once fetch it once. */
  get(): Promise<string>;
  /** Drops a token that WeChat refused. Returns the next one: fetched by another process meanwhile, or now. */
  replace(refused: string): Promise<string>;
}

export interface TokenOptions {
  client?(): Redis;
  /** Waits between two looks into the cache. @default 100 ms */
  pause?(): Promise<unknown>;
  /** Current time in milliseconds. @default Date.now */
  now?(): number;
}

/** A token is not used for this long before its end, or for half of its life if that is shorter. */
const marginMs = 60_000;
/** Longer than a fetch can take, so the lock expires only if its process died. */
const lockSeconds = 10;
const maxLooks = 20;

const tokenAnswer = z.object({
  access_token: z.string().check(z.minLength(1)),
  expires_in: z.number().check(z.positive()),
});
const heldToken = z.object({
  token: z.string().check(z.minLength(1)),
  /** End of its use, in milliseconds since 1970. */
  expiresAt: z.number(),
});
type HeldToken = z.output<typeof heldToken>;

/**
 * Keeps an account's access token in this process, and shares it in the cache.
 *
 * Tokens come from `POST /cgi-bin/stable_token`, which answers the same token while it is valid.
 * `GET /cgi-bin/token` would void the previous token, so two processes, or another system with the same
 * account, would invalidate each other's token. `force_refresh` is not needed: a token that WeChat calls
 * invalid is replaced without it, and it is limited to 20 calls a day.
 */
export function createAccessTokens(account: WechatAccount, options: TokenOptions = {}): AccessTokens {
  const { baseUrl, appId, secret } = account;
  const { now = Date.now } = options;
  const shared = new SharedToken(appId, options);
  let held: HeldToken | undefined;
  let refused: string | undefined;
  let flight: Promise<string> | undefined;

  const isValid = ({ token, expiresAt }: HeldToken): boolean => token !== refused && expiresAt > now();

  async function fetchToken(): Promise<HeldToken> {
    const body = { grant_type: 'client_credential', appid: appId, secret };
    const answer = await callWechat({ baseUrl, path: '/cgi-bin/stable_token', body, answer: tokenAnswer });
    const lifeMs = answer.expires_in * 1000;
    // A token that WeChat has just answered is valid, even if it was refused before.
    refused = undefined;
    return { token: answer.access_token, expiresAt: now() + lifeMs - Math.min(marginMs, lifeMs / 2) };
  }

  async function obtain(): Promise<string> {
    held = await shared.obtain(isValid, fetchToken);
    return held.token;
  }

  async function get(): Promise<string> {
    if (held && isValid(held)) return held.token;
    flight ??= obtain().finally(() => {
      flight = undefined;
    });
    return flight;
  }

  return {
    get,
    replace(token) {
      refused = token;
      return get();
    },
  };
}

/** Clients are created for each request; tokens are kept for the next one. */
const tokensByAccount = new Map<string, AccessTokens>();
const maxAccounts = 16;

/** The access tokens of an account in this process. */
export function accessTokensOf(account: WechatAccount): AccessTokens {
  const key = JSON.stringify([account.baseUrl, account.appId, account.secret]);
  const known = tokensByAccount.get(key);
  if (known) return known;
  // The limit removes the secrets of earlier settings.
  const [oldest] = tokensByAccount.keys();
  if (tokensByAccount.size >= maxAccounts && oldest) tokensByAccount.delete(oldest);
  const created = createAccessTokens(account);
  tokensByAccount.set(key, created);
  return created;
}

/** Shares an account's token between processes, in the cache under `service:wechat:access-token:{appId}`. */
class SharedToken {
  readonly #key: string;
  readonly #lock: string;
  readonly #client: () => Redis;
  readonly #pause: () => Promise<unknown>;
  readonly #now: () => number;

  constructor(appId: string, { client = redis, pause = () => wait(100), now = Date.now }: TokenOptions) {
    this.#key = `service:wechat:access-token:${appId}`;
    this.#lock = `${this.#key}:lock`;
    [this.#client, this.#pause, this.#now] = [client, pause, now];
  }

  /**
   * Answers the shared token if it is valid, else fetches and shares one. One process fetches while the others
   * wait, at most 2 s. Without the cache each process fetches its own token.
   */
  async obtain(
    isValid: (held: HeldToken) => boolean,
    fetchToken: () => Promise<HeldToken>,
  ): Promise<HeldToken> {
    try {
      const shared = parseToken(await this.#client().get<RedisResult>(this.#key));
      if (shared && isValid(shared)) return shared;
    } catch (error) {
      // Without the cache processes cannot wait for each other. Stable tokens make that harmless.
      warn(error);
      return fetchToken();
    }
    for (let looks = 0; looks < maxLooks; looks += 1) {
      const { isLocked, held } = await this.#lockAndRead();
      if (held && isValid(held)) {
        if (isLocked) await this.#release();
        return held;
      }
      if (isLocked) return this.#fetchAndShare(fetchToken);
      await this.#pause();
    }
    // The process with the lock is slow or dead. Two fetches at once get the same stable token.
    return this.#fetchAndShare(fetchToken);
  }

  /** Takes the lock and reads the token in one request: a token may have come since the last look. */
  async #lockAndRead(): Promise<{ isLocked: boolean; held?: HeldToken }> {
    try {
      const [reply, cell] = await settleAll([
        this.#client().set(this.#lock, 1, { nx: true, ex: lockSeconds }),
        this.#client().get<RedisResult>(this.#key),
      ]);
      return { isLocked: reply === 'OK', held: parseToken(cell) };
    } catch (error) {
      warn(error);
      return { isLocked: true };
    }
  }

  async #fetchAndShare(fetchToken: () => Promise<HeldToken>): Promise<HeldToken> {
    let held: HeldToken | undefined;
    try {
      held = await fetchToken();
      return held;
    } finally {
      await this.#release(held);
    }
  }

  /** Shares a token, if given, and releases the lock. If it fails, the lock expires by itself. */
  async #release(held?: HeldToken): Promise<void> {
    const seconds = held ? Math.floor((held.expiresAt - this.#now()) / 1000) : 0;
    const sharing = seconds > 0 ? [this.#client().set(this.#key, JSON.stringify(held), { ex: seconds })] : [];
    await settleAll([...sharing, this.#client().del(this.#lock)]).catch(warn);
  }
}

function warn(error: unknown): void {
  log.warn('wechat.token_cache_failed', { error });
}

function parseToken(cell: RedisResult): HeldToken | undefined {
  if (typeof cell !== 'string') return undefined;
  try {
    return heldToken.safeParse(JSON.parse(cell)).data;
  } catch {
    return undefined; // Not written by this service.
  }
}
