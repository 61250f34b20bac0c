import { AppError } from '#shared/errors/app-error.ts';

/** The version counts from 1, and every edit adds 1. */
export interface Versioned {
  version: number;
  updated_at: string;
}

/** The refusal of a write whose item has changed since it was read. */
export const versionConflict = (cause?: unknown): AppError => new AppError('version_conflict', { cause });

/** @throws AppError `version_conflict` if a row has another version */
export function assertVersion(row: Versioned, version: number): void {
  if (row.version !== version) throw new AppError('version_conflict');
}

/** Repeats an attempt that fails with `version_conflict`; throws that of the last one. @param tries attempts in all */
export async function retryOnConflict<T>(tries: number, attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isConflict = error instanceof AppError && error.code === 'version_conflict';
      if (!isConflict || count === tries) throw error;
    }
  }
}

/** The time of a change as ISO 8601. Never before the change that it follows, also if a clock went back. */
export function timeAfter(earlier: string): string {
  const now = new Date().toISOString();
  return earlier > now ? earlier : now;
}
