import { randomBytes } from 'node:crypto';
import { AccessTokens } from '#modules/System/users/wechat/access-tokens.ts';
import { createWechat, type Wechat } from '#modules/System/users/wechat/wechat.ts';
import { RedisClient } from '#shared/cache/redis.ts';
import { startWechat, type WechatDouble } from '../../../../../doubles/wechat.ts';
import type { WechatRules } from '../../../../../doubles/wechat-rules.ts';
import { FakeRedis } from '../../../../shared/cache/fake-redis.ts';

/** WeChat, the cache and their clock, for one test. */
export interface WechatFixture {
  app: { appId: string; secret: string };
  double: WechatDouble;
  cache: FakeRedis;
  /** Time of WeChat and of every client, in milliseconds; only the test changes it. */
  clock: { now: number };
  /** A client as in a separate process: only the cache is shared. */
  connect(options?: { secret?: string; appId?: string; baseUrl?: string }): Wechat;
}

/** Cache key of an app's token. */
export const tokenKey = (appId: string) => `service:wechat:access-token:${appId}`;

/** Starts WeChat's double with one app. */
export async function startFixture(rules: Partial<WechatRules> = {}): Promise<WechatFixture> {
  const hex = (bytes: number) => randomBytes(bytes).toString('hex');
  const app = { appId: `wx${hex(8)}`, secret: hex(16) };
  const clock = { now: Date.parse('2026-03-01T08:00:00Z') };
  const now = () => clock.now;
  const cache = new FakeRedis();
  const double = await startWechat({ apps: [app], now, ...rules });

  const connect: WechatFixture['connect'] = (options = {}) => {
    const redis = new RedisClient(cache.transport);
    const account = { baseUrl: double.url, ...app, ...options };
    const tokens = new AccessTokens(account, () => redis, now);
    return createWechat(account, () => tokens);
  };
  return { app, double, cache, clock, connect };
}

/** The error of a rejected promise. */
export async function failureOf(work: Promise<unknown>): Promise<Error & { code?: string; cause?: unknown }> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof Error) return outcome;
  throw new Error('it did not fail');
}

/** All text that a log would show for an error. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.name} ${error.message} ${error.stack} ${JSON.stringify(error)} ${describeError(error.cause)}`;
}
