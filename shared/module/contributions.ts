/** What a module shows on the pages and in the tools of others. They need not know the module. */
export interface Contributions {
  /** Numbers of its records, by kind: `articles`. */
  statistics?: Readonly<Record<string, () => Promise<number>>>;
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
}

/** @param declared of all enabled modules; discovery refuses a kind that two of them declare */
export function joinContributions(declared: readonly Contributions[]): JoinedContributions {
  const statistics: NonNullable<Contributions['statistics']> = Object.assign(
    {},
    ...declared.map((each) => each.statistics),
  );
  const latest: NonNullable<Contributions['latest']> = Object.assign(
    {},
    ...declared.map((each) => each.latest),
  );
  return {
    count: async (kind) => (await statistics[kind]?.()) ?? 0,
    listLatest: async (kind, limit) => (await latest[kind]?.(limit)) ?? [],
  };
}
