import type * as z from 'zod/mini';
import { type ErrorCode, errorCatalogue } from './catalogue.ts';

/** One error of the input, as answered under `errors`. */
export interface ErrorDetail {
  /** Such as `body.items.0.name` or `query.type`; for counts, the name of the counted thing. */
  path: string;
  /** Key of a message, or a text; or a function that takes a text of the schema library. */
  message: string | ((localise: z.core.$ZodErrorMap) => string);
  /** Values for the placeholders of the message. @default those of the error */
  params?: AppErrorOptions['params'];
}

interface AppErrorOptions {
  /** Values for the placeholders of the code's message. */
  params?: Record<string, string | number>;
  /** Key of the message, if it is not the code's own. */
  messageKey?: string | undefined;
  /** Replaces the message, in every locale. */
  text?: string;
  errors?: ErrorDetail[];
  /** Response headers, such as `Allow` or `Retry-After`; names in lower case. */
  headers?: Record<string, string>;
  /** Answered under `data`. @default null */
  data?: unknown;
  /** Logged, never answered. */
  cause?: unknown;
}

/** HTTP status by code: those of the platform, and those of the modules whose `errors.ts` is loaded. */
const declared = new Map<string, number>(Object.entries(errorCatalogue));

/** A refusal or failure with a stable code. `shared/http` renders it, with a message in the request's locale. */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly params: Record<string, string | number>;
  readonly messageKey: string;
  readonly text: string | undefined;
  readonly errors: ErrorDetail[] | undefined;
  readonly headers: Record<string, string>;
  readonly data: unknown;

  /**
   * A code that is not declared becomes `internal`, with the code in the cause: it has no status to answer.
   *
   * @param failure a code of the platform, or that of a caught error; modules use {@link defineErrors}
   */
  constructor(failure: ErrorCode | { code: string }, given: AppErrorOptions = {}) {
    const { code, status, options } = resolveCode(failure, given);
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

function resolveCode(failure: string | { code: string }, options: AppErrorOptions) {
  const code = typeof failure === 'string' ? failure : failure.code;
  const status = declared.get(code);
  if (status !== undefined) return { code, status, options };
  const cause = new Error(`the error code "${code}" is not declared: add it to errors.ts`, options);
  return { code: 'internal', status: errorCatalogue.internal, options: { cause } };
}

/** The AppError that was thrown; `internal` with the cause for anything else. */
export const toAppError = (thrown: unknown): AppError =>
  thrown instanceof AppError ? thrown : new AppError('internal', { cause: thrown });

const isFailure = (status: number): boolean => Number.isInteger(status) && status >= 400 && status <= 599;

export interface ModuleErrors<Code extends string = string> {
  /** HTTP status by code. */
  codes: Readonly<Record<Code, number>>;
  create(code: Code, options?: AppErrorOptions): AppError;
}

/**
 * Declares the error codes of a module, with their status from 400 to 599; its `errors.ts` exports the result as
 * default. The comment of a code, for `docs/errors.md`, says when it is answered. Each file of the module's `lang/` has
 * its message.
 */
export function defineErrors<Code extends string>(codes: Record<Code, number>): ModuleErrors<Code> {
  for (const [code, status] of Object.entries<number>(codes))
    if (isFailure(status)) declared.set(code, status);
  return { codes, create: (code, options) => new AppError({ code }, options) };
}

const units = { MiB: 1024 ** 2, MB: 1000 ** 2, KiB: 1024 } as const;

/** A limit in a unit that gives a whole number: `64 KiB`. */
export function describeLimit(sizeBytes: number): string {
  const [unit, bytes] = Object.entries(units).find(([, each]) => sizeBytes % each === 0) ?? ['B', 1];
  return `${sizeBytes / bytes} ${unit}`;
}

/** Creates `request.too_large`; its message, or that of `messageKey`, names the limit. */
export function refuseTooLarge(limitBytes: number, messageKey?: string): AppError {
  return new AppError('request.too_large', { params: { size: describeLimit(limitBytes) }, messageKey });
}
