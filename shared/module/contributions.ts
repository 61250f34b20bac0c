import { settleAll } from '#shared/async/settle-all.ts';
import type { LocalisedText } from '#shared/schema/component.ts';
import type { DeclaredJob } from './job.ts';

/** Where a number leads to, and who may see it. */
interface Shown {
  title: LocalisedText;
  /** Address of the list that is counted, below `/console/`: `shop/order?status=open`. */
  to: string;
  /** The route that answers the list, without `/adminapi/`: `shop/order/list`. Others do not see the number. */
  permission: string;
}

/** A number of records, as a card of the start page. */
export interface Statistic extends Shown {
  /**
   * @param days of `added`
   * @returns the number, and how many were added on each of the last days, today last. Leave `added` out if the module
   *   does not count by day: then nothing is compared
   */
  read(days: number): Promise<{ total: number; added?: readonly number[] }>;
}

/** Records that wait to be dealt with, shown on the start page while there are any. */
export interface Waiting extends Shown {
  /** Their number, as one bounded read. It may stop at {@link waitingLimit}. @param jobs of all enabled modules */
  count(jobs: readonly DeclaredJob[]): Promise<number>;
}

/** A number of waiting records stands for this number and more. */
export const waitingLimit = 50;

/** What a module shows on the pages and in the tools of others. They need not know the module. */
export interface Contributions {
  /** Numbers of its records, by kind: `articles`. */
  statistics?: Readonly<Record<string, Statistic>>;
  /** What waits, by kind: `drafts`. */
  waiting?: Readonly<Record<string, Waiting>>;
  /** Its newest records that anybody may see, by kind, newest first, at most `limit`. */
  latest?: Readonly<Record<string, (limit: number) => Promise<readonly object[]>>>;
}

/** Declares what a module shows elsewhere, for its `contributions.ts`. */
export const defineContributions = (contributions: Contributions): Contributions => contributions;

/** The contributions of all enabled modules. */
export interface JoinedContributions {
  /** Number of records of a kind; 0 if no enabled module counts them. */
  count(kind: string): Promise<number>;
  /** The newest records of a kind; empty if no enabled module lists them. */
  listLatest(kind: string, limit: number): Promise<readonly object[]>;
  /** All statistics with their numbers, read at once. @param days of `added` */
  readStatistics(
    days: number,
  ): Promise<(Shown & { kind: string; total: number; added?: readonly number[] | undefined })[]>;
  /** All that waits, read at once. */
  readWaiting(): Promise<(Shown & { kind: string; count: number })[]>;
}

/**
 * @param declared of all enabled modules; discovery refuses a kind that two of them declare
 * @param jobs of all enabled modules
 */
export function joinContributions(
  declared: readonly Contributions[],
  jobs: readonly DeclaredJob[] = [],
): JoinedContributions {
  const join = <Part>(parts: (Readonly<Record<string, Part>> | undefined)[]): Record<string, Part> =>
    Object.assign({}, ...parts);
  const statistics = join(declared.map((each) => each.statistics));
  const waiting = join(declared.map((each) => each.waiting));
  const latest = join(declared.map((each) => each.latest));
  return {
    count: async (kind) => (await statistics[kind]?.read(1))?.total ?? 0,
    listLatest: async (kind, limit) => (await latest[kind]?.(limit)) ?? [],
    readStatistics: (days) =>
      settleAll(
        Object.entries(statistics).map(async ([kind, { title, to, permission, read }]) => {
          const { total, added } = await read(days);
          return { kind, title, to, permission, total, added };
        }),
      ),
    readWaiting: () =>
      settleAll(
        Object.entries(waiting).map(async ([kind, { title, to, permission, count }]) => ({
          kind,
          title,
          to,
          permission,
          count: await count(jobs),
        })),
      ),
  };
}
