import * as z from 'zod/mini';
import { requestJson } from '#shared/net/request-json.ts';
import { WechatError } from './wechat-error.ts';

/** A call of WeChat's HTTP API. */
export interface WechatCall<Answer> {
  baseUrl: string;
  /** Path of the operation, the only part of the call that errors name. */
  path: string;
  query?: Record<string, string>;
  /** Posted as JSON; without it the call is a GET. */
  body?: Record<string, string>;
  /** What a good answer holds. */
  answer: z.ZodMiniType<Answer>;
}

const refusal = z.object({ errcode: z.number(), errmsg: z.optional(z.unknown()) });

/**
 * Calls WeChat's HTTP API, which answers 200 to everything and says in `errcode` what is wrong.
 *
 * @throws WechatError when WeChat refuses, or answers something else than `answer`
 * @throws OutboundError when there is no answer
 */
export async function callWechat<Answer>(call: WechatCall<Answer>): Promise<Answer> {
  const { baseUrl, path, query = {}, body, answer } = call;
  const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
  const response = await requestJson({
    url: `${baseUrl.replace(/(?<!\/)\/+$/, '')}${path}${search}`,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const refused = refusal.safeParse(response.body);
  if (refused.success && refused.data.errcode !== 0) {
    const { errcode, errmsg } = refused.data;
    throw new WechatError(`WeChat refused ${path}`, errcode, readRequestId(errmsg));
  }
  const good = answer.safeParse(response.body);
  if (response.status === 200 && good.success) return good.data;
  throw new WechatError(`WeChat answered ${path} with ${response.status} and nothing to work with`);
}

/** The request ID at the end of WeChat's message; the rest may echo codes and tokens. */
function readRequestId(errmsg: unknown): string | undefined {
  return typeof errmsg === 'string' ? /\brid: ?([\w-]{1,64})$/.exec(errmsg)?.[1] : undefined;
}
