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

/** A code outside the catalogue, as a module's errors or a caught error carry it. */
interface OtherCode {
  code: string;
  status: number;
}

/**
 * A refusal or failure with a stable code. Thrown anywhere below `shared/http`, rendered there by
 * the one error step; the message for a person is made from the code in the request's locale.
 */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly params: Record<string, string | number>;
  readonly messageKey: string;
  readonly text: string | undefined;
  readonly errors: ErrorDetail[] | undefined;
  readonly headers: Record<string, string>;
  readonly data: unknown;

  /** @param failure a code of the platform; modules throw their own by {@link defineErrors} */
  constructor(failure: ErrorCode | OtherCode, options: AppErrorOptions = {}) {
    const { code, status } =
      typeof failure === 'string' ? { code: failure, status: errorCatalogue[failure] } : failure;
    super(code, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = status;
    this.params = options.params ?? {};
    this.messageKey = options.messageKey ?? code;
    this.text = options.text;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.data = options.data ?? null;
  }
}

/** The error codes of a module. */
export interface ModuleErrors<Code extends string = string> {
  /** HTTP status by code. */
  codes: Readonly<Record<Code, number>>;
  create(code: Code, options?: AppErrorOptions): AppError;
}

/**
 * Declares the error codes of a module; its `errors.ts` exports the result as default. A comment beside or
 * above a code says when it is answered, for `docs/errors.md`; each file of the module's `lang/` has its message.
 *
 * @param codes HTTP status, 400 to 599, by code: `shop.not_found`
 */
export function defineErrors<Code extends string>(codes: Record<Code, number>): ModuleErrors<Code> {
  return { codes, create: (code, options) => new AppError({ code, status: codes[code] }, options) };
}

/** Units in which limits are written, the largest first. */
const units = { MiB: 1024 ** 2, MB: 1000 ** 2, KiB: 1024 } as const;

/** A limit in the largest unit that gives a whole number: `64 KiB`. */
export function describeLimit(sizeBytes: number): string {
  const [unit, bytes] = Object.entries(units).find(([, each]) => sizeBytes % each === 0) ?? ['B', 1];
  return `${sizeBytes / bytes} ${unit}`;
}

/**
 * `request.too_large`, whose message names the limit.
 *
 * @param messageKey in place of the code's own message
 */
export function refuseTooLarge(limitBytes: number, messageKey?: string): AppError {
  return new AppError('request.too_large', { params: { size: describeLimit(limitBytes) }, messageKey });
}
