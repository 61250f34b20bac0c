/**
 * Why a request to another service failed:
 * - `url_invalid`: not an absolute http or https URL, or one with credentials
 * - `denied`: the host is, or resolves to, an address that is not public
 * - `unreachable`: the name does not resolve, or the connection fails
 * - `timeout`: no whole answer in time
 * - `redirect`: a 3xx, which is never followed
 * - `too_large`: an answer above the limit
 * - `not_json`: an answer that is not JSON
 */
export type OutboundReason =
  | 'url_invalid'
  | 'denied'
  | 'unreachable'
  | 'timeout'
  | 'redirect'
  | 'too_large'
  | 'not_json';

/**
 * A failed request to another service. Its message names only the host, since paths and queries carry secrets;
 * it has no cause, since messages of parsers quote their input.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: OutboundReason;
  /** HTTP status, if there was an answer. */
  readonly status: number | undefined;

  constructor(reason: OutboundReason, message: string, status?: number) {
    super(message);
    this.reason = reason;
    this.status = status;
  }
}
