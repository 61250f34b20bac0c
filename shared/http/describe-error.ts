import type { AppError, ErrorDetail } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/catalogue.ts';
import type { Translate } from './messages.ts';

/** An error as a client is told of it. */
export interface DescribedError {
  code: ErrorCode;
  message: string;
  errors?: ErrorDetail[];
}

/** Puts an error into words of the request's locale. */
export function describeError(
  { code, messageKey, params, text, errors }: AppError,
  t: Translate,
): DescribedError {
  return {
    code,
    message: text ?? t(messageKey, params),
    ...(errors && { errors: errors.map(({ path, message }) => ({ path, message: t(message, params) })) }),
  };
}
