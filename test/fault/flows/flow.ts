import type { StoredEntry } from '#shared/audit/entry.ts';
import type { Key } from '../../support/keys.ts';
import type { Answer } from '../world/api.ts';
import type { World } from '../world/world.ts';

/** Progress of a flow, by the contents of table and engine. */
export type Truth = 'before' | 'between' | 'after';

/** A use of the service, and how to check whether it was done. */
// biome-ignore lint/suspicious/noExplicitAny: lists hold flows of any state.
export interface Flow<State = any> {
  name: string;
  /** Creates everything that the flow needs, for this run only. */
  prepare(world: World): Promise<State>;
  /** Sends the requests that have not succeeded yet; a second call sends the same. */
  act(world: World, state: State): Promise<Answer>;
  /** Whether an answer says that it was done. @default the code is `ok` */
  isDone?(answer: Answer): boolean;
  /** Checks the stores directly. @throws Error for a record that is half written */
  look(world: World, state: State): Promise<Truth>;
  /** Whether the service shows what the table holds. */
  isShown(world: World, state: State): Promise<boolean>;
  /** The changed items, as in the table's stream. */
  changes(state: State): Key[];
  /** Last word of the cache's key that its changes clear, if it is not in {@link changes}. */
  clears?: string;
  /** The code of the same request after a success. @default it succeeds again */
  conflicts?: readonly string[];
  /** Codes that it may fail with besides `database.unavailable`. */
  failures?: readonly string[];
  /** Whether it has several writes, some of which may be missing until it is repeated. */
  isGradual?: boolean;
  /** Gives back what {@link prepare} has taken. */
  release?(world: World, state: State): void;
  /** Most concurrent runs. @default unlimited */
  atOnce?: number;
  /**
   * Whether every step is tried with nothing cached too. Flows behind the same gates read the same before their
   * own work, so one flow of each kind of caller is enough.
   * @default false: only some steps, drawn at random
   */
  isTriedCold?: boolean;
  /** Whether an entry of the audit log is about this run; only for flows that the log records. */
  isRecord?(entry: StoredEntry, state: State): boolean;
  /**
   * Whether the table holds a change, if {@link look} reads only what the caller can see.
   * @default the result of `look`
   */
  hasChanged?(world: World, state: State): Promise<boolean>;
  /** Whether a success may skip its write, as for the usage of the assistant. */
  isLenient?: boolean;
}

/** Declares a flow with its state's type. */
export const defineFlow = <State>(flow: Flow<State>): Flow<State> => flow;

/** Whether an answer says that the flow was done. */
export const isDone = (flow: Flow, answer: Answer): boolean =>
  flow.isDone ? flow.isDone(answer) : answer.code === 'ok';

/**
 * Longest that a gateway waits for a function, in milliseconds. A function with less time would answer with a
 * failure of its own.
 */
export const gatewayLimitMs = 29_000;

/** Whether an answer is truthful: a success, or that a store is unavailable. */
export const isHonest = ({ failures = [] }: Flow, { code }: Answer): boolean =>
  ['ok', 'database.unavailable', ...failures].includes(code);
