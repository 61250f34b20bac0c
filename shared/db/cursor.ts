import { seal, unseal } from '#shared/crypto/seal.ts';
import { AppError } from '#shared/errors/app-error.ts';

/**
 * A cursor for the page after `last`: encrypted, so it tells nothing, and sealed to its list and filters, so
 * it opens nowhere else.
 *
 * @param last where the page ended, undefined at the end of the list
 * @param scope name of the list with its filters
 */
export function encodeCursor(last: Record<string, unknown> | undefined, scope: string): string | null {
  return last ? seal(JSON.stringify(last), 'cursor', scope) : null;
}

/** @throws AppError `request.invalid` for a cursor that was not made here, for this list and these filters */
export function decodeCursor(cursor: string | undefined, scope: string): Record<string, unknown> | undefined {
  if (cursor === undefined) return undefined;
  const text = unseal(cursor, 'cursor', scope);
  if (text !== undefined) return JSON.parse(text);
  throw new AppError('request.invalid', { errors: [{ path: 'query.cursor', message: 'rule.cursor' }] });
}
