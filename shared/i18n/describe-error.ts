import type { AppError, ErrorDetail } from '#shared/errors/app-error.ts';
import type { Translate } from './messages.ts';

/** An error as a client is told of it. */
export interface DescribedError {
  code: string;
  message: string;
  errors?: ErrorDetail[];
}

/** Most places of the input that an answer lists; the message counts all. */
export const maxDetails = 100;

/** Puts an error into words of the request's locale. */
export function describeError(
  { code, messageKey, params, text, errors }: AppError,
  t: Translate,
): DescribedError {
  const details = errors
    ?.slice(0, maxDetails)
    .map(({ path, message }) => ({ path, message: t(message, params) }));
  return {
    code,
    message: text ?? t(messageKey, { count: errors?.length ?? 0, ...params }),
    ...(details && { errors: details }),
  };
}
