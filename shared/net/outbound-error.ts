/** Why a request to another service failed. */
type OutboundReason =
  /** Not an absolute http or https URL, or one with credentials. */
  | 'url_invalid'
  /** The host is, or resolves to, an address that is not public. */
  | 'denied'
  /** The name does not resolve, or the connection fails. */
  | 'unreachable'
  | 'timeout'
  /** A 3xx; never followed. */
  | 'redirect'
  | 'too_large'
  | 'not_json';

/**
 * A failed request to another service. Its message names only the host, because paths and queries hold secrets.
 * It has no cause, because messages of parsers quote their input.
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
