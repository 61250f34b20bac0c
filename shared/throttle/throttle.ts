import { hash } from 'node:crypto';
import { settleAll } from '#shared/async/settle-all.ts';
import { CacheCommandError, CacheUnavailableError } from '#shared/cache/protocol.ts';
import { environment } from '#shared/config/environment.ts';
import { ConditionError } from '#shared/db/errors.ts';
import { getItems, singleKey, transact, type Write } from '#shared/db/items.ts';
import { ttlAttribute } from '#shared/db/table.ts';
import { changeItem } from '#shared/db/writes.ts';
import type { ListWrittenKeys } from '#shared/db/written-keys.ts';
import { log } from '#shared/log/log.ts';
import { countAlone, countTogether } from './cache-counters.ts';
import { type Counter, countInProcess, type Tally } from './process-counters.ts';
import { nameDimension, type Throttle } from './throttles.ts';

/** The values of a request by the name of their dimension. A rule with an absent dimension does not apply. */
export type Identity = Partial<Record<string, string>>;

/** The decision about a request; the numbers are those of its tightest counter. */
export interface ThrottleState {
  isAllowed: boolean;
  limit: number;
  /** Requests left after this one. */
  remaining: number;
  /** Seconds until the next attempt is free. */
  resetSeconds: number;
  /** Whether a rule with `failures` is full. */
  isUnderPressure: boolean;
}

/** The state of a request that a store has counted. */
export interface CountedState extends ThrottleState {
  /** Removes the request from some counters if it was allowed, and returns the new state. Failures are only logged. */
  release(isReleased?: (counter: Counter) => boolean): Promise<ThrottleState>;
}

/**
 * Counts a request against all rules of a throttle that apply, or against none if one of them refuses it. Returns
 * undefined if no rule applies, and no promise if this process alone can refuse.
 *
 * @throws AppError `database.*` for a throttle that falls back to the table, if both stores are away
 */
export function checkThrottle(
  name: string,
  throttle: Throttle,
  identity: Identity,
): ThrottleState | undefined | Promise<CountedState> {
  const counters = listCounters(name, throttle, identity);
  if (counters.length === 0) return undefined;
  // During a flood, the count of this process is enough to refuse without a request to a store.
  const own = countInProcess(counters);
  const first = summarise(counters, own);
  return first.isAllowed ? ask(name, throttle, counters, own) : first;
}

/** Counts in the store of all processes; `own` is the count of this process. */
async function ask(name: string, throttle: Throttle, counters: Counter[], own: Tally): Promise<CountedState> {
  let isCounted = false;
  try {
    const tally = await countEverywhere(name, throttle, counters, own);
    const state = summarise(counters, tally);
    isCounted = state.isAllowed;
    const tallies = isCounted ? new Set([own, tally]) : [];
    const release: CountedState['release'] = async (isReleased = () => true) => {
      const released = isCounted ? counters.filter(isReleased) : [];
      if (released.length > 0) await releaseAll(tallies, released);
      return summarise(counters, {
        counts: tally.counts.map((count, index) => {
          const counter = counters[index];
          return counter && released.includes(counter) ? { ...count, used: count.used - 1 } : count;
        }),
      });
    };
    return { ...state, release };
  } finally {
    if (!isCounted) await own.release(counters);
  }
}

async function releaseAll(tallies: Iterable<Tally>, counters: readonly Counter[]): Promise<void> {
  try {
    await settleAll(Array.from(tallies, (tally) => tally.release(counters)));
  } catch (error) {
    // The answer does not depend on it: the count ends with its window.
    log.warn('throttle.release_failed', { error });
  }
}

/** Counts in the cache, or in the fallback of the throttle. */
async function countEverywhere(
  name: string,
  { rules, fallback }: Throttle,
  counters: Counter[],
  own: Tally,
): Promise<Tally> {
  try {
    const [only] = counters;
    return rules.length === 1 && only ? await countAlone(only) : await countTogether(counters);
  } catch (error) {
    // Both mean that the cache is not available: it cannot be reached, or it refuses, past a quota for example.
    if (!(error instanceof CacheUnavailableError || error instanceof CacheCommandError)) throw error;
    log.warn('throttle.cache_unavailable', { throttle: name, fallback, error });
    return fallback === 'table' ? countInTable(counters) : own;
  }
}

function listCounters(name: string, { rules }: Throttle, identity: Identity): Counter[] {
  return rules.flatMap(({ by, limit, windowSeconds, exempt, failures }): Counter[] => {
    const names = by.map(nameDimension);
    const values = names.map((each) => identity[each]);
    if (values.includes(undefined)) return [];
    const text = JSON.stringify([name, names, windowSeconds, values]);
    const id = hash('sha256', text, 'base64url');
    const factored = Math.max(1, Math.floor(limit * environment().throttleFactor));
    return [{ id, limit: factored, windowSeconds, exempt, failures }];
  });
}

function summarise(counters: readonly Counter[], { counts }: Pick<Tally, 'counts'>): ThrottleState {
  const all = counters.map(({ limit, failures }, index) => {
    const { used, resetSeconds } = counts[index] ?? { used: 0, resetSeconds: 1 };
    const remaining = Math.max(0, limit - used - 1);
    return { isAllowed: used < limit, limit, remaining, resetSeconds, failures };
  });
  const isUnderPressure = all.some((state) => state.failures && !state.isAllowed);
  const states = all.filter(({ failures }) => !failures).map(({ failures, ...state }) => state);
  const isAllowed = states.every((state) => state.isAllowed);
  const [tightest] = states.sort(
    (a, b) =>
      Number(a.isAllowed) - Number(b.isAllowed) ||
      (a.isAllowed ? a.remaining - b.remaining : b.resetSeconds - a.resetSeconds),
  );
  if (!tightest) throw new Error('a throttle that refuses nothing');
  return { ...tightest, isAllowed, isUnderPressure };
}

/** Counts in the table, in one transaction. Its windows begin at fixed times. */
async function countInTable(counters: readonly Counter[]): Promise<Tally> {
  const now = Math.floor(Date.now() / 1000);
  const windows = counters.map((counter) => ({ counter, ...toWindow(counter, now) }));
  const { counted, full } = await countOpen(windows);
  const items = await getItems(windows.map(({ key }) => key));
  const stored = new Map(items.map((item) => [String(item.pk), Number(item.count)]));
  return {
    counts: windows.map((window) => {
      const used = (stored.get(window.key.pk) ?? 0) - (counted.includes(window) ? 1 : 0);
      // An attempt of a full window may have been released since.
      const isFull = full.includes(window);
      return {
        used: isFull ? Math.max(used, window.counter.limit) : used,
        resetSeconds: window.endsAt - now,
      };
    }),
    release: async (released) => {
      const undone = counted.filter(({ counter }) => released.includes(counter));
      if (undone.length > 0) await transact(undone.map(({ undo }) => undo));
    },
  };
}

/** Counts in all windows, without those of full counters of failures; in none if another one is full. */
async function countOpen<Window extends { counter: Counter; write: Write }>(
  windows: readonly Window[],
  full: readonly Window[] = [],
): Promise<{ counted: readonly Window[]; full: readonly Window[] }> {
  try {
    await transact(windows.map(({ write }) => write));
    return { counted: windows, full };
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    const failed = windows.filter((_window, index) => error.failed.includes(index));
    if (!failed.every(({ counter }) => counter.failures)) return { counted: [], full: [...full, ...failed] };
    return countOpen(
      windows.filter((window) => !failed.includes(window)),
      [...full, ...failed],
    );
  }
}

function toWindow({ id, limit, windowSeconds }: Counter, now: number) {
  const startsAt = now - (now % windowSeconds);
  const endsAt = startsAt + windowSeconds;
  const key = singleKey(`THROTTLE#${id}#${startsAt}`);
  const change = { add: { count: 1 }, set: { [ttlAttribute]: endsAt }, atMost: { count: limit - 1 } };
  const undo = changeItem(key, { add: { count: -1 }, atLeast: { count: 1 } });
  return { key, endsAt, write: changeItem(key, change), undo };
}

/** The fallback of throttles that count in the table. */
export const writtenKeys: ListWrittenKeys = () => ['THROTTLE#*'];
