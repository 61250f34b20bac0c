import { expect } from '@jest/globals';
import { AppError } from '#shared/errors/app-error.ts';
import { ContentFault } from '#shared/storage/checks/content.ts';

/** The `AppError` of a call; fails if the call does not throw one. */
export const catchRefusal = (call: () => unknown): Promise<AppError> => catchError(AppError, call);

/** The `ContentFault` of a check; fails if the check does not throw one. */
export const catchFault = (call: () => unknown): Promise<ContentFault> => catchError(ContentFault, call);

async function catchError<Kind extends Error>(
  kind: new (...given: never[]) => Kind,
  call: () => unknown,
): Promise<Kind> {
  try {
    await call();
  } catch (error) {
    expect(error).toBeInstanceOf(kind);
    if (error instanceof kind) return error;
  }
  throw new Error('nothing was refused');
}
