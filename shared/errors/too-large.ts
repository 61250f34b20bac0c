import { AppError } from './app-error.ts';

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
