import type { StageStack } from './find-stages.ts';

interface SweepRules {
  /** Numbers of the pull requests that are open; undefined if they do not count. */
  open?: readonly number[] | undefined;
  /** Age in days from which a preview is removed; undefined if the age does not count. */
  days?: number | undefined;
  now: Date;
}

const dayMs = 86_400_000;

/** The number of the pull request that a preview belongs to: 12 for `pr-12`. */
const readNumber = (stage: string): number | undefined => {
  const [, digits] = /^pr-(\d+)$/.exec(stage) ?? [];
  return digits === undefined ? undefined : Number(digits);
};

/**
 * The previews that nothing needs any more: their pull request is closed, or they are too old.
 *
 * @returns only stages whose every stack has the tag of a preview
 */
export function listLeftovers(
  stages: ReadonlyMap<string, readonly StageStack[]>,
  { open, days, now }: SweepRules,
): string[] {
  return [...stages].flatMap(([stage, stacks]) => {
    if (!stacks.every(({ isPreview }) => isPreview)) return [];
    const number = readNumber(stage);
    const isClosed = open !== undefined && number !== undefined && !open.includes(number);
    const newest = Math.max(...stacks.map(({ createdAt }) => createdAt.getTime()));
    const isOld = days !== undefined && now.getTime() - newest >= days * dayMs;
    return isClosed || isOld ? [stage] : [];
  });
}
