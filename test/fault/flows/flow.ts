import type { Key } from '../../support/keys.ts';
import type { Answer } from '../world/api.ts';
import type { World } from '../world/world.ts';

/** How far something has come, by what lies in the table and on the engine. */
export type Truth = 'before' | 'between' | 'after';

/** One thing that people do with the service, and how to see whether it was done. */
// biome-ignore lint/suspicious/noExplicitAny: lists hold flows of any state.
export interface Flow<State = any> {
  name: string;
  /** Makes everything that the flow needs; each time something of its own. */
  prepare(world: World): Promise<State>;
  /** Sends the request, or those that are not answered well yet; called again it sends the same. */
  act(world: World, state: State): Promise<Answer>;
  /** Whether an answer says that it was done. @default the code is `ok` */
  isDone?(answer: Answer): boolean;
  /** Looks past the service. @throws Error for a record that is half written */
  look(world: World, state: State): Promise<Truth>;
  /** Whether the service shows what the table holds. */
  isShown(world: World, state: State): Promise<boolean>;
  /** What changes in the table, as its stream tells. */
  changes(state: State): Key[];
  /** What the same request is refused with once it was carried out. @default nothing */
  conflicts?: readonly string[];
  /** Codes that it may fail with besides `database.unavailable`. */
  failures?: readonly string[];
  /** Whether it consists of several writes, of which some may be missing until it is repeated. */
  isGradual?: boolean;
  /** Gives back what {@link prepare} has taken. */
  release?(world: World, state: State): void;
  /** How many runs it bears at a time. @default any number */
  atOnce?: number;
  /**
   * Whether every step is tried with nothing cached too. Flows behind the same gates read the same before their
   * own work; of each kind of caller one does it.
   * @default false, but for what is drawn by lot
   */
  isTriedCold?: boolean;
  /** Whether a success may leave out what it writes, as the use of the assistant. */
  isLenient?: boolean;
}

/** Declares a flow with its state's type. */
export const defineFlow = <State>(flow: Flow<State>): Flow<State> => flow;

/** Whether an answer says that what a flow is about was done. */
export const isDone = (flow: Flow, answer: Answer): boolean =>
  flow.isDone ? flow.isDone(answer) : answer.code === 'ok';

/**
 * Longest that a gateway waits for a function, in milliseconds. What has less time ends by itself, in an answer that
 * is not honest.
 */
export const gatewayLimitMs = 29_000;

/** Whether an answer says what has happened: a success, or that something is away. */
export const isHonest = ({ failures = [] }: Flow, { code }: Answer): boolean =>
  ['ok', 'database.unavailable', ...failures].includes(code);
