import * as z from 'zod/mini';
import { requestJson } from '#shared/net/request-json.ts';

/**
 * WeChat refused a call, or sent an unexpected answer; the cause of an `AppError`. It holds only the error code and
 * the request ID of the answer, since the rest may echo the request.
 */
export class WechatError extends Error {
  override readonly name = 'WechatError';
  /** WeChat's `errcode`, if it sent one. */
  readonly errcode: number | undefined;
  /** WeChat's support finds the call by this `rid`. */
  readonly requestId: string | undefined;

  constructor(message: string, errcode?: number, requestId?: string) {
    const details = [errcode !== undefined && `errcode ${errcode}`, requestId && `rid ${requestId}`];
    const text = details.filter(Boolean).join(', ');
    super(text ? `${message} (${text})` : message);
    this.errcode = errcode;
    this.requestId = requestId;
  }
}

interface WechatCall<Answer> {
  baseUrl: string;
  /** Path of the operation; errors name no other part of the call. */
  path: string;
  query?: Record<string, string>;
  /** Sent as JSON in a POST; without it the call is a GET. */
  body?: Record<string, string>;
  /** Schema of a successful answer. */
  answer: z.ZodMiniType<Answer>;
}

const refusal = z.object({ errcode: z.number(), errmsg: z.optional(z.unknown()) });

/**
 * Calls WeChat's HTTP API. Its status is always 200; errors have an `errcode`.
 *
 * @throws WechatError if WeChat refuses, or the answer does not fit `answer`
 * @throws OutboundError if there is no answer
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
  throw new WechatError(`WeChat answered ${path} with ${response.status} and an unexpected body`);
}

/** Reads the request ID at the end of WeChat's message; the rest may echo codes and tokens. */
function readRequestId(errmsg: unknown): string | undefined {
  return typeof errmsg === 'string' ? /\brid: ?([\w-]{1,64})$/.exec(errmsg)?.[1] : undefined;
}
