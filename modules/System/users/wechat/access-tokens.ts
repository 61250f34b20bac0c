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

export interface TokenOptions {
  client?(): Redis;
  /** Waits between two reads of the cache. @default 100 ms */
  pause?(): Promise<unknown>;
  /** Current time in milliseconds. @default Date.now */
  now?(): number;
}

/** A token is not used for this long before its end, or for half of its life if that is shorter. */
const marginMs = 60_000;
/** Longer than a fetch can take, so the lock expires only if its process died. */
const lockSeconds = 10;
const maxReads = 20;

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
 * The access tokens of one account. A token is kept in this process and shared between processes in the cache, under
 * `service:wechat:access-token:{appId}`.
 *
 * Tokens come from `POST /cgi-bin/stable_token`, which answers the same token while it is valid.
 * `GET /cgi-bin/token` would void the previous token, so two processes, or another system with the same
 * account, would invalidate each other's token. `force_refresh` is not needed: a token that WeChat calls
 * invalid is replaced without it, and it is limited to 20 calls a day.
 */
export class AccessTokens {
  readonly #account: WechatAccount;
  readonly #options: Required<TokenOptions>;
  readonly #key: string;
  readonly #lock: string;
  #held: HeldToken | undefined;
  #refused: string | undefined;
  #flight: Promise<HeldToken> | undefined;

  constructor(
    account: WechatAccount,
    { client = redis, pause = () => wait(100), now = Date.now }: TokenOptions = {},
  ) {
    this.#account = account;
    this.#options = { client, pause, now };
    this.#key = `service:wechat:access-token:${account.appId}`;
    this.#lock = `${this.#key}:lock`;
  }

  /** A token that is valid as far as is known. Concurrent calls fetch it once. */
  async get(): Promise<string> {
    if (this.#held && this.#isValid(this.#held)) return this.#held.token;
    this.#flight ??= this.#obtain().finally(() => {
      this.#flight = undefined;
    });
    this.#held = await this.#flight;
    return this.#held.token;
  }

  /** Drops a token that WeChat refused. @returns the next one, from another process or from WeChat */
  replace(refused: string): Promise<string> {
    this.#refused = refused;
    return this.get();
  }

  #isValid({ token, expiresAt }: HeldToken): boolean {
    return token !== this.#refused && expiresAt > this.#options.now();
  }

  /**
   * Returns the shared token if it is valid, else fetches and shares one. One process fetches while the others
   * wait, at most 2 s. Without the cache each process fetches its own token.
   */
  async #obtain(): Promise<HeldToken> {
    try {
      const shared = await this.#read();
      if (shared && this.#isValid(shared)) return shared;
    } catch (error) {
      // Without the cache processes cannot wait for each other. Stable tokens make that harmless.
      warn(error);
      return this.#fetch();
    }
    for (let reads = 0; reads < maxReads; reads += 1) {
      const { isLocked, held } = await this.#lockAndRead();
      if (held && this.#isValid(held)) {
        if (isLocked) await this.#release();
        return held;
      }
      if (isLocked) return this.#fetchAndShare();
      await this.#options.pause();
    }
    // The process with the lock is slow or dead. Two fetches at once get the same stable token.
    return this.#fetchAndShare();
  }

  async #read(): Promise<HeldToken | undefined> {
    return parseToken(await this.#options.client().get<RedisResult>(this.#key));
  }

  /** Takes the lock and reads again in one request: a token may have been shared since the last read. */
  async #lockAndRead(): Promise<{ isLocked: boolean; held?: HeldToken }> {
    try {
      const [reply, held] = await settleAll([
        this.#options.client().set(this.#lock, 1, { nx: true, ex: lockSeconds }),
        this.#read(),
      ]);
      return { isLocked: reply === 'OK', held };
    } catch (error) {
      warn(error);
      return { isLocked: true };
    }
  }

  async #fetch(): Promise<HeldToken> {
    const { baseUrl, appId, secret } = this.#account;
    const body = { grant_type: 'client_credential', appid: appId, secret };
    const answer = await callWechat({ baseUrl, path: '/cgi-bin/stable_token', body, answer: tokenAnswer });
    const lifeMs = answer.expires_in * 1000;
    // A token that WeChat has just answered is valid, even if it was refused before.
    this.#refused = undefined;
    const expiresAt = this.#options.now() + lifeMs - Math.min(marginMs, lifeMs / 2);
    return { token: answer.access_token, expiresAt };
  }

  async #fetchAndShare(): Promise<HeldToken> {
    let held: HeldToken | undefined;
    try {
      held = await this.#fetch();
      return held;
    } finally {
      await this.#release(held);
    }
  }

  /** Shares a token, if given, and releases the lock. If it fails, the lock expires by itself. */
  async #release(held?: HeldToken): Promise<void> {
    const { client, now } = this.#options;
    const seconds = held ? Math.floor((held.expiresAt - now()) / 1000) : 0;
    const sharing = seconds > 0 ? [client().set(this.#key, JSON.stringify(held), { ex: seconds })] : [];
    await settleAll([...sharing, client().del(this.#lock)]).catch(warn);
  }
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
  const created = new AccessTokens(account);
  tokensByAccount.set(key, created);
  return created;
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
