import type { StoredRun } from './stored-run.ts';

/** Most tries of a due time whose runs fail or are killed. */
const mostTries = 3;
/** EventBridge is some seconds early or late, in milliseconds. */
const jitterMs = 90_000;

/** What a call for a due time leads to. */
export type Choice =
  | { state: 'done before' | 'running'; again: boolean }
  /** `isMissed`: a due time had no run; `isStopped`: the run before was killed too often. */
  | { due: string; isNew: boolean; isMissed?: boolean; isStopped?: boolean };

/**
 * Chooses between what is stored and a call. Times are compared as texts of `toISOString`.
 *
 * @param due for which the job is called
 * @param nowMs Unix milliseconds
 */
export function chooseRun(old: StoredRun | undefined, due: string, nowMs: number): Choice {
  if (!old) return { due, isNew: true };
  const isKilled = old.outcome === 'running' && old.lease_until <= nowMs;
  if (old.outcome === 'running' && !isKilled) return { state: 'running', again: true };
  const isStopped = isKilled && old.tries >= mostTries;
  const isUnfinished = old.outcome === 'cut' || (isKilled && !isStopped);
  if (isUnfinished) return { due: old.due_at, isNew: false };
  // Who calls a failed job again for the same time wants another try: Lambda does.
  const isTriedAgain = old.outcome === 'failed' && old.due_at === due && old.tries < mostTries;
  if (isTriedAgain) return { due, isNew: false };
  if (due <= old.due_at) return { state: 'done before', again: false };
  return { due, isNew: true, isMissed: isLate(old.next_due_at, due), isStopped };
}

const isLate = (expected: string | null, due: string): boolean =>
  expected !== null && Date.parse(due) - Date.parse(expected) > jitterMs;
