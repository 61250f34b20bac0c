import { expect } from '@jest/globals';
import { AppError } from '#shared/errors/app-error.ts';

/** The `AppError` of a call; fails if the call does not throw one. */
export async function catchRefusal(call: () => unknown): Promise<AppError> {
  try {
    await call();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    if (error instanceof AppError) return error;
  }
  throw new Error('nothing was refused');
}
