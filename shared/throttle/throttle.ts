import { hash } from 'node:crypto';
import { CacheCommandError, CacheUnavailableError } from '#shared/cache/protocol.ts';
import { environment } from '#shared/config/environment.ts';
import { type Dimension, type Throttle, type ThrottleName, throttles } from '#shared/config/throttles.ts';
import { log } from '#shared/log/log.ts';
import { countAlone, countTogether } from './cache-counters.ts';
import type { Count, Counter } from './counters.ts';
import { createProcessCounters } from './process-counters.ts';
import { countInTable } from './table-counters.ts';

/** What a request is counted by; a rule that needs an absent one does not apply. */
export type Identity = Partial<Record<Dimension, string>>;

/** What a throttle says of a request, told by its tightest counter. */
export interface ThrottleState {
  isAllowed: boolean;
  limit: number;
  /** Requests left after this one. */
  remaining: number;
  /** Seconds until the next place is free. */
  resetSeconds: number;
}

const inProcess = createProcessCounters();

/**
 * Counts a request against every rule of a throttle that applies, in one step that counts nothing when one
 * of them is full.
 *
 * @returns undefined where no rule applies; no promise where nobody has to be asked
 * @throws AppError `database.*` for a throttle that falls back to the table when both stores are away
 */
export function checkThrottle(
  name: ThrottleName,
  identity: Identity,
): ThrottleState | undefined | Promise<ThrottleState> {
  const counters = listCounters(name, throttles[name], identity);
  if (counters.length === 0) return undefined;
  // What this process alone has let past is enough to refuse a flood without asking anybody.
  const own = inProcess.count(counters);
  const first = summarise(counters, own);
  return first.isAllowed ? ask(name, counters, own) : first;
}

/** Asks the store that all processes count in; `own` is what this one has counted. */
async function ask(name: ThrottleName, counters: Counter[], own: Count[]): Promise<ThrottleState> {
  const throttle: Throttle = throttles[name];
  let isCounted = false;
  try {
    const state = summarise(counters, await countEverywhere(name, throttle, counters, own));
    isCounted = state.isAllowed;
    return state;
  } finally {
    if (!isCounted) inProcess.release(counters);
  }
}

/** Counts in the cache, or where the throttle falls back to; `own` is what this process has counted. */
async function countEverywhere(
  name: ThrottleName,
  throttle: Throttle,
  counters: Counter[],
  own: Count[],
): Promise<Count[]> {
  try {
    return await countInCache(throttle, counters);
  } catch (error) {
    // Away, or refusing to serve, as past a quota: both are no answer.
    if (!(error instanceof CacheUnavailableError || error instanceof CacheCommandError)) throw error;
    log.warn('throttle.cache_unavailable', { throttle: name, fallback: throttle.fallback, error });
    return throttle.fallback === 'table' ? countInTable(counters) : own;
  }
}

async function countInCache({ rules, isEitherOr = false }: Throttle, counters: Counter[]): Promise<Count[]> {
  const [only, ...others] = counters;
  const isAlone = others.length === 0 && (rules.length === 1 || isEitherOr);
  return only && isAlone ? [await countAlone(only)] : countTogether(counters);
}

function listCounters(name: ThrottleName, { rules }: Throttle, identity: Identity): Counter[] {
  return rules.flatMap(({ by, limit, windowSeconds }) => {
    const values = by.map((dimension) => identity[dimension]);
    if (values.includes(undefined)) return [];
    const text = JSON.stringify([name, by, windowSeconds, values]);
    const id = hash('sha256', text, 'base64url');
    return [{ id, limit: Math.max(1, Math.floor(limit * environment().throttleFactor)), windowSeconds }];
  });
}

function summarise(counters: Counter[], counts: Count[]): ThrottleState {
  const states = counters.map(({ limit }, index) => {
    const { used, resetSeconds } = counts[index] ?? { used: 0, resetSeconds: 1 };
    return { isAllowed: used < limit, limit, remaining: Math.max(0, limit - used - 1), resetSeconds };
  });
  const isAllowed = states.every((state) => state.isAllowed);
  const [tightest] = states.sort(
    (a, b) =>
      Number(a.isAllowed) - Number(b.isAllowed) ||
      (a.isAllowed ? a.remaining - b.remaining : b.resetSeconds - a.resetSeconds),
  );
  if (!tightest) throw new Error('a throttle without counters');
  return { ...tightest, isAllowed };
}
