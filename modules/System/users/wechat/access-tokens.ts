import * as z from 'zod/mini';
import { callWechat } from './call-wechat.ts';
import type { HeldToken, TokenStore } from './token-store.ts';

/** The access tokens of one account. */
export interface AccessTokens {
  /** A token that is good as far as is known. However many ask at once, it is fetched once. */
  get(): Promise<string>;
  /**
   * Drops a token that WeChat refused, and answers the one that came after it: what somebody else fetched
   * meanwhile, here or in another process, or a new one.
   */
  replace(refused: string): Promise<string>;
}

export interface AccessTokenSettings {
  baseUrl: string;
  appId: string;
  secret: string;
  /** The time in milliseconds. @default Date.now */
  now?(): number;
}

/** A token is let go so long before its end, or at half its life where that is shorter. */
const marginMs = 60_000;

const tokenAnswer = z.object({
  access_token: z.string().check(z.minLength(1)),
  expires_in: z.number().check(z.positive()),
});

/**
 * Keeps an account's access token in this process, and in the cache for the others.
 *
 * Tokens come from `POST /cgi-bin/stable_token`. Asked twice, it answers the same token while that is good;
 * `GET /cgi-bin/token` answers a new one each time and voids the one before, so two processes that refresh
 * at once, or another system with the same account, would take each other's token away. `force_refresh` is
 * never asked: WeChat allows it 20 times a day, and a token that it calls invalid is replaced without it.
 */
export function createAccessTokens(settings: AccessTokenSettings, store: TokenStore): AccessTokens {
  const { baseUrl, appId, secret, now = Date.now } = settings;
  let held: HeldToken | undefined;
  let refused: string | undefined;
  let flight: Promise<string> | undefined;

  const isGood = ({ token, expiresAt }: HeldToken): boolean => token !== refused && expiresAt > now();

  async function fetchToken(): Promise<HeldToken> {
    const body = { grant_type: 'client_credential', appid: appId, secret };
    const answer = await callWechat({ baseUrl, path: '/cgi-bin/stable_token', body, answer: tokenAnswer });
    const lifeMs = answer.expires_in * 1000;
    // What WeChat hands out stands, even the one that it refused a moment ago.
    refused = undefined;
    return { token: answer.access_token, expiresAt: now() + lifeMs - Math.min(marginMs, lifeMs / 2) };
  }

  async function obtain(): Promise<string> {
    held = await store.obtain(isGood, fetchToken);
    return held.token;
  }

  async function get(): Promise<string> {
    if (held && isGood(held)) return held.token;
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
