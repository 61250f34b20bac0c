import * as z from 'zod/mini';
import { requestJson } from '#shared/net/request-json.ts';

/** A refusal, or an unexpected answer. It holds only code and ID of the answer: the rest may echo the request. */
export class WechatError extends Error {
  override readonly name = 'WechatError';
  readonly errcode: number | undefined;

  /** @param requestId WeChat's support finds the call by this `rid` */
  constructor(message: string, errcode?: number, requestId?: string) {
    const rid = requestId ? `, rid ${requestId}` : '';
    super(errcode === undefined ? message : `${message} (errcode ${errcode}${rid})`);
    this.errcode = errcode;
  }
}

interface WechatCall<Answer> {
  baseUrl: string;
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
 * @throws WechatError if WeChat refuses, or the answer does not fit `answer`; OutboundError if there is no answer
 */
export async function callWechat<Answer>(call: WechatCall<Answer>): Promise<Answer> {
  const { baseUrl, path, query, body, answer } = call;
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const response = await requestJson({
    url: `${baseUrl.replace(/(?<!\/)\/+$/, '')}${path}${search}`,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const refused = refusal.safeParse(response.body);
  if (refused.success && refused.data.errcode !== 0) {
    const { errcode, errmsg } = refused.data;
    // The request ID ends the message; the rest may echo codes and tokens.
    const [, requestId] = /\brid: ?([\w-]{1,64})$/.exec(String(errmsg)) ?? [];
    throw new WechatError(`WeChat refused ${path}`, errcode, requestId);
  }
  const good = answer.safeParse(response.body);
  if (response.status === 200 && good.success) return good.data;
  throw new WechatError(`WeChat answered ${path} with ${response.status} and an unexpected body`);
}
