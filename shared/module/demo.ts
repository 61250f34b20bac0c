import { toDay } from '#shared/config/local-time.ts';

// Example data of modules, which only the command `demo` loads.

/** Something that a demo has made, as the list in the table has it. */
export interface DemoThing {
  /** Unique among those of its kind, and the same in every run. */
  name: string;
  /** ID of its record, as in a target of the audit log: `01J…` of `order:01J…`; null if it has no record of its own. */
  id: string | null;
  /** What its removal needs besides. */
  data: Record<string, unknown>;
}

/** What a module's demo works with. */
export interface DemoRun {
  /** When the first run began. Later runs count their times from it too. */
  readonly began: Date;
  /**
   * Makes something, unless an earlier run has made it. The first transaction of `work` adds it to the list, so the
   * list is complete also after an interruption.
   *
   * @param kind a key of the module's `remove`
   */
  add(
    kind: string,
    name: string,
    work: () => Promise<unknown>,
    data?: DemoThing['data'],
  ): Promise<DemoThing & { isNew: boolean }>;
  /** Finds what the demo of any module has made. */
  find(module: string, kind: string, name: string): Promise<DemoThing | undefined>;
  /** Runs work at another time: the clock of the process differs for this work. */
  at<T>(moment: Date, work: () => Promise<T>): Promise<T>;
  /** Prints a line for the user of the command. */
  print(line: string): void;
}

/** Example data of a module. */
export interface Demo {
  /** Makes the data by the module's own operations. Runs after the demos of required modules. May be repeated. */
  fill(run: DemoRun): Promise<void>;
  /** Runs after the demos of all modules. */
  finish?(run: DemoRun): Promise<void>;
  /**
   * Removes one thing of each kind, by operations, the newest thing first. A 404 counts as removed; with a 409, others
   * still need the thing, and it stays.
   */
  remove: Readonly<Record<string, (thing: DemoThing, run: Pick<DemoRun, 'at'>) => Promise<unknown>>>;
}

/** Declares the example data of a module, for its `demo.ts`; only the command `demo` loads it. */
export const defineDemo = (demo: Demo): Demo => demo;

/** A time of an earlier day, in the configured time zone. @param daysAgo from 1 @param hour may have a fraction */
export function daysBefore({ began }: Pick<DemoRun, 'began'>, daysAgo: number, hour: number): Date {
  // It also sets the time zone of this process.
  toDay(began);
  const moment = new Date(began);
  moment.setDate(moment.getDate() - daysAgo);
  moment.setHours(Math.floor(hour), Math.floor((hour % 1) * 60));
  return moment;
}

/** Numbers from 0 to below 1, the same for each seed. The algorithm is mulberry32. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
