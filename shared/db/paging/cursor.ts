import { decrypt, encrypt } from '#shared/crypto/encrypt.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Position } from '../items.ts';

/**
 * A cursor for the page after `last`, encrypted, and valid only for its list and filters; null at the end of the list.
 *
 * @param scope name of the list with its filters
 */
export function encodeCursor(last: Position | undefined, scope: string): string | null {
  return last ? encrypt(JSON.stringify(last), 'cursor', scope) : null;
}

/** @throws AppError `request.invalid` for a cursor that this service did not make for this scope */
export function decodeCursor(cursor: string | undefined, scope: string): Position | undefined {
  if (cursor === undefined) return undefined;
  const text = decrypt(cursor, 'cursor', scope);
  if (text !== undefined) return JSON.parse(text);
  throw new AppError('request.invalid', { errors: [{ path: 'query.cursor', message: 'rule.cursor' }] });
}

/** Rows of a page. */
export interface RowPage<Row> {
  rows: Row[];
  /** Undefined at the end of the list. */
  last: Position | undefined;
}

export interface CursorPage<Row> {
  list: Row[];
  /** Null at the end of the list. */
  next_cursor: string | null;
}

/**
 * Reads the page of a cursor.
 *
 * @param read reads from a position on; undefined is the beginning
 * @throws AppError `request.invalid` as {@link decodeCursor}
 */
export async function readByCursor<Row>(
  cursor: string | undefined,
  scope: string,
  read: (start: Position | undefined) => Promise<RowPage<Row>>,
): Promise<CursorPage<Row>> {
  const { rows, last } = await read(decodeCursor(cursor, scope));
  return { list: rows, next_cursor: encodeCursor(last, scope) };
}
