import * as z from 'zod/mini';
import type { RedisResult } from '#shared/cache/protocol.ts';
import { redis } from '#shared/cache/redis.ts';
import { log } from '#shared/log/log.ts';
import { callWechat } from './call-wechat.ts';

/** A mini-program or an official account. */
export type WechatAccount = Record<'baseUrl' | 'appId' | 'secret', string>;

/** A token is not used for this long before its end, or for half of its life if that is shorter. */
const marginMs = 60_000;

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
 * The access tokens of one account, kept in this process and shared between processes in the cache.
 *
 * `POST /cgi-bin/stable_token` answers the same token while it is valid, so processes need not wait for each other;
 * `GET /cgi-bin/token` would void the previous one. `force_refresh` is not needed, and limited to 20 calls a day.
 */
export class AccessTokens {
  readonly #account: WechatAccount;
  readonly #client: typeof redis;
  readonly #now: () => number;
  readonly #key: string;
  #held: HeldToken | undefined;
  #refused: string | undefined;
  #pending: Promise<HeldToken> | undefined;

  /** @param now current time in milliseconds */
  constructor(account: WechatAccount, client = redis, now = Date.now) {
    this.#account = account;
    this.#client = client;
    this.#now = now;
    this.#key = `service:wechat:access-token:${account.appId}`;
  }

  /** A token that is valid as far as is known. Concurrent calls fetch it once. */
  async get(): Promise<string> {
    if (this.#held && this.#isValid(this.#held)) return this.#held.token;
    this.#pending ??= this.#obtain().finally(() => {
      this.#pending = undefined;
    });
    this.#held = await this.#pending;
    return this.#held.token;
  }

  /** Drops a token that WeChat refused. @returns the next one, from another process or from WeChat */
  replace(refused: string): Promise<string> {
    this.#refused = refused;
    return this.get();
  }

  #isValid({ token, expiresAt }: HeldToken): boolean {
    return token !== this.#refused && expiresAt > this.#now();
  }

  /** Returns the shared token if it is valid, else fetches and shares one. */
  async #obtain(): Promise<HeldToken> {
    try {
      const shared = parseToken(await this.#client().get<RedisResult>(this.#key));
      if (shared && this.#isValid(shared)) return shared;
    } catch (error) {
      // Without the cache each process fetches its own token.
      warn(error);
      return this.#fetch();
    }
    const held = await this.#fetch();
    const seconds = Math.ceil((held.expiresAt - this.#now()) / 1000);
    await this.#client().set(this.#key, JSON.stringify(held), { ex: seconds }).catch(warn);
    return held;
  }

  async #fetch(): Promise<HeldToken> {
    const { baseUrl, appId, secret } = this.#account;
    const body = { grant_type: 'client_credential', appid: appId, secret };
    const answer = await callWechat({ baseUrl, path: '/cgi-bin/stable_token', body, answer: tokenAnswer });
    const lifeMs = answer.expires_in * 1000;
    // A token that WeChat has just answered is valid, even if it was refused before.
    this.#refused = undefined;
    const expiresAt = this.#now() + lifeMs - Math.min(marginMs, lifeMs / 2);
    return { token: answer.access_token, expiresAt };
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
