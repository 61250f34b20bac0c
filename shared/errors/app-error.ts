import { type ErrorCode, errorCatalogue } from './catalogue.ts';

/** One place in the input that does not fit, as answered under `errors`. */
export interface ErrorDetail {
  /** Where, as `body.items.0.name`, `query.type` or the name of what is counted. */
  path: string;
  message: string;
}

/** What an {@link AppError} carries besides its code. */
export interface AppErrorOptions {
  /** Values for the placeholders of the code's message. */
  params?: Record<string, string | number>;
  /** Key of the message, if it is not the code's own. */
  messageKey?: string | undefined;
  /** Answered in place of the code's message, in every locale. */
  text?: string;
  errors?: ErrorDetail[];
  /** Response headers, such as `Allow` or `Retry-After`; names in lower case. */
  headers?: Record<string, string>;
  /** Answered under `data` in place of null. */
  data?: unknown;
  /** What went wrong underneath; logged, never answered. */
  cause?: unknown;
}

/**
 * A refusal or failure with a code of the catalogue. Thrown anywhere below `shared/http`, rendered there by
 * the one error step; the message for a person is made from the code in the request's locale.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly params: Record<string, string | number>;
  readonly messageKey: string;
  readonly text: string | undefined;
  readonly errors: ErrorDetail[] | undefined;
  readonly headers: Record<string, string>;
  readonly data: unknown;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(code, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = errorCatalogue[code];
    this.params = options.params ?? {};
    this.messageKey = options.messageKey ?? code;
    this.text = options.text;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.data = options.data ?? null;
  }
}
