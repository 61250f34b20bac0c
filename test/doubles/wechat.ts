import { randomBytes } from 'node:crypto';
import { type DoubleAnswer, type DoubleRequest, type RunningDouble, serve } from './serve.ts';
import { createWechatOperations } from './wechat-operations.ts';
import type { WechatPhone, WechatRules, WechatUser } from './wechat-rules.ts';

export type WechatPath =
  | '/sns/jscode2session'
  | '/sns/oauth2/access_token'
  | '/wxa/business/getuserphonenumber'
  | '/cgi-bin/stable_token'
  | '/cgi-bin/token';

export interface WechatDouble extends RunningDouble {
  /** How often each operation was called, refused calls included. */
  calls: Record<WechatPath, number>;
  issueLoginCode(appId: string, user: WechatUser): string;
  issuePhoneCode(appId: string, phone: WechatPhone): string;
  issueOauthCode(appId: string, user: WechatUser): string;
  /** Voids an app's stable token, as another's forced refresh does. */
  voidToken(appId: string): void;
  /** Answers the next call of an operation, or so many `times`, with an errcode. */
  failNext(path: WechatPath, errcode: number, times?: number): void;
  /** Leaves calls of an operation unanswered until released. */
  hold(path: WechatPath): { arrived: Promise<void>; letGo(): void };
}

interface Held {
  arrive(): void;
  done: Promise<void>;
}

const messages: Record<number, string> = {
  [-1]: 'system error',
  40001: 'invalid credential, access_token is invalid or not latest',
  40013: 'invalid appid',
  40029: 'invalid code',
  40125: 'invalid appsecret',
  40163: 'code been used',
  42001: 'access_token expired',
  45011: 'api minute-quota reach limit, mustslower retry next minute',
};

/**
 * WeChat's HTTP API for logins, by its public documentation: apps and secrets are checked, codes are good
 * once, for their app, for five minutes, tokens end and are voided. As there, every answer has status 200,
 * some are called `text/plain`, and a refusal's message may quote the request.
 */
export async function startWechat(
  rules: Pick<WechatRules, 'apps'> & Partial<WechatRules>,
): Promise<WechatDouble> {
  const operations = createWechatOperations({
    now: Date.now,
    tokenSeconds: 7200,
    codeSeconds: 300,
    loginsPerMinute: 100,
    ...rules,
  });
  const failures = new Map<string, number[]>();
  const held = new Map<string, Held>();
  const calls: Record<string, number> = {};

  async function answer(request: DoubleRequest): Promise<DoubleAnswer> {
    const { path } = request;
    calls[path] = (calls[path] ?? 0) + 1;
    const wait = held.get(path);
    wait?.arrive();
    await wait?.done;
    const failure = failures.get(path)?.shift();
    const outcome = failure ?? operations.run(request);
    if (outcome === undefined) return { status: 404, body: 'no such operation' };
    const contentType = path.startsWith('/sns/') ? 'text/plain' : 'application/json; encoding=utf-8';
    return { contentType, body: typeof outcome === 'number' ? refuse(outcome, request) : outcome };
  }

  const { url, stop } = await serve(answer);
  return {
    url,
    stop,
    calls: new Proxy(calls as WechatDouble['calls'], {
      get: (counts, path: WechatPath) => counts[path] ?? 0,
    }),
    issueLoginCode: (appId, user) => operations.loginCodes.issue(appId, user),
    issuePhoneCode: (appId, phone) => operations.phoneCodes.issue(appId, phone),
    issueOauthCode: (appId, user) => operations.oauthCodes.issue(appId, user),
    voidToken: (appId) => void operations.tokens.issueStable(appId, true),
    failNext: (path, errcode, times = 1) => void failures.set(path, Array(times).fill(errcode)),
    hold(path) {
      const [arrival, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held.set(path, { arrive: arrival.resolve, done: release.promise });
      const letGo = () => {
        held.delete(path);
        release.resolve();
      };
      return { arrived: arrival.promise, letGo };
    },
  };
}

function refuse(errcode: number, { query, body }: DoubleRequest): Record<string, unknown> {
  const rid = [8, 8, 8].map((length) => randomBytes(length / 2).toString('hex')).join('-');
  const quoted = `${query}${body}`;
  return { errcode, errmsg: `${messages[errcode] ?? 'refused'} [${quoted}] rid: ${rid}` };
}
