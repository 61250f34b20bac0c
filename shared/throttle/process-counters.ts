/** One counter that a request is held against. */
export interface Counter {
  /** Tells counters apart; holds no plain account, mobile or address. */
  id: string;
  limit: number;
  windowSeconds: number;
  /** A request that the handler refuses with this code is removed from the counter. */
  exempt?: string;
}

/** What a counter said. */
export interface Count {
  /** Requests in the window before this one. */
  used: number;
  /** Seconds until the next place is free. */
  resetSeconds: number;
}

/** What the counters of a request said. */
export interface Tally {
  /** In the order of the counters. */
  counts: Count[];
  /** Removes the request from some of its counters. Call it only if the request was counted. */
  release(counters: readonly Counter[]): Promise<void>;
}

/** Most counters that are kept; past it the one that was used longest ago goes. */
const counterLimit = 2_000;

/** Counters of one process. */
export interface ProcessCounters {
  /** Counts a request in all counters, or in none if one of them is full. */
  count(counters: readonly Counter[]): Tally;
}

/** How many of `times` lie at or before `since`. */
function countUntil(times: readonly number[], since: number): number {
  const first = times.findIndex((time) => time > since);
  return first < 0 ? times.length : first;
}

/** Counts in memory: no window of a counter's length ever holds more than its limit. */
export function createProcessCounters(now: () => number = Date.now): ProcessCounters {
  const requests = new Map<string, number[]>();

  function openWindow({ id, windowSeconds }: Counter, at: number): number[] {
    const times = requests.get(id) ?? [];
    const since = at - windowSeconds * 1000;
    // In the order of their time: what has left the window is in front.
    if (times[0] !== undefined && times[0] <= since) times.splice(0, countUntil(times, since));
    requests.delete(id);
    requests.set(id, times);
    return times;
  }

  function count(counters: readonly Counter[]): Tally {
    const at = now();
    const open = counters.map((counter) => ({ ...counter, times: openWindow(counter, at) }));
    const counts = open.map(({ times, windowSeconds }): Count => {
      const freeAt = (times[0] ?? at) + windowSeconds * 1000;
      return { used: times.length, resetSeconds: Math.max(1, Math.ceil((freeAt - at) / 1000)) };
    });
    if (open.every(({ times, limit }) => times.length < limit)) {
      for (const { times } of open) times.push(at);
    }
    for (const id of requests.keys()) {
      if (requests.size <= counterLimit) break;
      requests.delete(id);
    }
    return { counts, release };
  }

  async function release(counters: readonly Counter[]): Promise<void> {
    for (const { id } of counters) requests.get(id)?.pop();
  }

  return { count };
}
