import type { Action, Field, PageDescription } from '#functions/console/description.ts';
import { kindOf } from '../../fields/kinds.ts';
import { choiceField, hasResult, isForEach, type PageActions } from '../generated-actions.ts';

type Row = Record<string, unknown>;

/** What can be done with each chosen row. */
export interface EachAction {
  action: Action;
  /** The value that it sets, if it asks for one. */
  choice?: { field: Field; value: unknown; label: Field['label'] };
}

/**
 * The actions of rows that need no form: the chosen rows get them one by one. An action that takes several records at
 * once replaces the action of the same name.
 */
export function listEachActions(page: PageDescription, { row, bulk }: PageActions): EachAction[] {
  return row
    .filter((action) => isForEach(action) && !hasResult(action, page))
    .filter(({ name }) => !bulk.some((other) => other.name === name))
    .flatMap((action): EachAction[] => {
      const field = choiceField(action);
      if (!field) return [{ action }];
      const choices = kindOf(field).choices?.(field) ?? [];
      return choices.map(({ value, label }) => ({ action, choice: { field, value, label } }));
    });
}

/** A row that stays selected. Without an error, its turn has not come. */
export interface Remaining {
  row: Row;
  error?: Error;
}

/** No later request can succeed: there is no connection, or no login. */
const endsRun = (error: Error & { status?: unknown }): boolean => error.status === 0 || error.status === 401;

/**
 * Calls an action for each row, one request at a time.
 *
 * @param onProgress gets the number of rows whose turn has come
 * @param signal stops before the next row
 * @returns the rows for which it failed, and those whose turn has not come
 */
export async function runEach(
  rows: readonly Row[],
  send: (row: Row) => Promise<unknown>,
  { signal, onProgress }: { signal: AbortSignal; onProgress(count: number): void },
): Promise<Remaining[]> {
  const failed: Remaining[] = [];
  for (const [index, row] of rows.entries()) {
    if (signal.aborted) return [...failed, ...rows.slice(index).map((left) => ({ row: left }))];
    try {
      await send(row);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      failed.push({ row, error });
      if (endsRun(error)) return [...failed, ...rows.slice(index + 1).map((left) => ({ row: left }))];
    }
    onProgress(index + 1);
  }
  return failed;
}
