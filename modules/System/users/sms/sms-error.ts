/**
 * Why a message was not sent; the cause of `AppError('sms.failed')`. Holds the provider's code and request ID
 * and nothing else of its answer: providers quote the request, and with it the message, in their texts.
 */
export class SmsError extends Error {
  override readonly name = 'SmsError';
  /** The provider's error code; undefined where there is none. */
  readonly providerCode: string | undefined;
  /** The ID by which the provider's support finds the request. */
  readonly requestId: string | undefined;

  constructor(message: string, providerCode?: unknown, requestId?: unknown) {
    const [code, id] = [toWord(providerCode), toWord(requestId)];
    const details = [code, id && `request ${id}`].filter(Boolean).join(', ');
    super(details ? `${message} (${details})` : message);
    this.providerCode = code;
    this.requestId = id;
  }
}

/** Codes and IDs are words; anything else could be text of the message. */
function toWord(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w.:-]{1,128}$/.test(value) ? value : undefined;
}
