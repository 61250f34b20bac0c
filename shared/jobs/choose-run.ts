import type { StoredRun } from './stored-run.ts';

/** Most tries of a due time whose runs fail or are killed. */
const mostTries = 3;
/** EventBridge is some seconds early or late, in milliseconds. */
const jitterMs = 90_000;

/** Whether a run goes on at this moment. */
export const isRunning = ({ outcome, lease_until }: StoredRun, nowMs: number): boolean =>
  outcome === 'running' && lease_until > nowMs;

/** What a call for a due time leads to. */
export type Choice =
  | { state: 'done before' | 'running'; again: boolean }
  /** `isMissed`: a due time had no run; `isStopped`: the run before was killed too often. */
  | { due: string; isNew: boolean; isMissed?: boolean; isStopped?: boolean };

/**
 * Chooses between what is stored and a call. Times are compared as texts of `toISOString`.
 *
 * @param due for which the job is called
 * @param schedule as `describeTimes` writes it; after a change, no due time counts as missed
 * @param nowMs Unix milliseconds
 */
export function chooseRun(old: StoredRun | undefined, due: string, schedule: string, nowMs: number): Choice {
  if (!old) return { due, isNew: true };
  if (isRunning(old, nowMs)) return { state: 'running', again: true };
  const isKilled = old.outcome === 'running';
  const isStopped = isKilled && old.tries >= mostTries;
  const isUnfinished = old.outcome === 'cut' || (isKilled && !isStopped);
  if (isUnfinished) return { due: old.due_at, isNew: false };
  // Who calls a failed job again for the same time wants another try: Lambda does.
  const isTriedAgain = old.outcome === 'failed' && old.due_at === due && old.tries < mostTries;
  if (isTriedAgain) return { due, isNew: false };
  if (due <= old.due_at) return { state: 'done before', again: false };
  return { due, isNew: true, isMissed: old.schedule === schedule && isLate(old.next_due_at, due), isStopped };
}

const isLate = (expected: string | null, due: string): boolean =>
  expected !== null && Date.parse(due) - Date.parse(expected) > jitterMs;
