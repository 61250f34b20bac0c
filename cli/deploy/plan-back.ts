import type { Run, RunChanges } from './history.ts';

/** What a rollback does. `id` belongs to an earlier run that did not finish. */
export interface BackPlan {
  id?: string;
  changes: RunChanges;
}

const describe = ({ at, kind }: Run): string => `the ${kind} of ${at}`;

/** The last run, with the unfinished deployments before it that it has continued; the oldest first. */
function takeRelease(runs: readonly Run[]): readonly Run[] {
  if (runs.at(-1)?.kind === 'rollback') return runs.slice(-1);
  const end = runs.slice(0, -1).findLastIndex(({ kind, state }) => kind === 'rollback' || state !== 'open');
  return runs.slice(end + 1);
}

/**
 * Decides what a rollback puts back: the content before the last run, for every stack that the run has changed; or for
 * the chosen stacks, the content before their last change. A rollback is a run too, so another one goes forward again.
 *
 * @param runs the oldest first
 * @param running hashes of what runs now; null if unknown
 * @param chosen names of stacks; undefined for all of the last run
 * @throws Error with the reason if nothing can be put back
 */
export function planBack(
  runs: readonly Run[],
  running: ReadonlyMap<string, string | null>,
  chosen?: readonly string[],
): BackPlan {
  const last = runs.at(-1);
  if (!last) throw new Error('No earlier deployment is kept.');
  if (last.kind === 'rollback' && last.state === 'open') {
    if (!chosen?.some((stack) => !last.stacks[stack])) return { id: last.id, changes: last.stacks };
    throw new Error(`${describe(last)} did not finish: repeat it without --module first.`);
  }
  const release = takeRelease(runs);
  const changes: RunChanges = {};
  for (const stack of chosen ?? new Set(release.flatMap(({ stacks }) => Object.keys(stacks)))) {
    const now = running.get(stack) ?? null;
    const run = chosen
      ? runs.findLast(({ stacks }) => stacks[stack] && stacks[stack].from !== now)
      : release.find(({ stacks }) => stacks[stack]);
    const to = run?.stacks[stack]?.from;
    if (!run) throw new Error(`${stack}: no earlier deployment is kept.`);
    // The run may have failed before this stack.
    if (to === now) continue;
    if (!to) throw new Error(`${stack}: what ran before ${describe(run)} is not known, so it is not kept.`);
    changes[stack] = { from: now, to };
  }
  if (Object.keys(changes).length > 0) return { changes };
  throw new Error(`Nothing to put back: ${describe(last)} has changed nothing that runs.`);
}
