/**
 * What WeChat refused, or answered that cannot be understood; the cause of an `AppError`. Holds WeChat's
 * error code and request ID and nothing else of the answer, since it may echo what was sent.
 */
export class WechatError extends Error {
  override readonly name = 'WechatError';
  /** WeChat's `errcode`; undefined where the answer is none of WeChat's. */
  readonly errcode: number | undefined;
  /** The `rid` by which WeChat's support finds the call. */
  readonly requestId: string | undefined;

  constructor(message: string, errcode?: number, requestId?: string) {
    const details = [errcode !== undefined && `errcode ${errcode}`, requestId && `rid ${requestId}`];
    const text = details.filter(Boolean).join(', ');
    super(text ? `${message} (${text})` : message);
    this.errcode = errcode;
    this.requestId = requestId;
  }
}
