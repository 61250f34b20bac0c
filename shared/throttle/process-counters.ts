export interface Counter {
  /** Contains no plain account, mobile or address. */
  id: string;
  limit: number;
  windowSeconds: number;
  /** A request that the handler refuses with this code is removed from the counter. */
  exempt?: string;
  /** See `ThrottleRule`: if the counter is full, the request passes and is not counted here. */
  failures?: readonly string[];
}

export interface Count {
  /** Requests in the window before this one. */
  used: number;
  /** Seconds until the next attempt is free. */
  resetSeconds: number;
}

export interface Tally {
  /** In the order of the counters. */
  counts: Count[];
  /** Removes the request from some of its counters; those that did not count it stay as they are. */
  release(counters: readonly Counter[]): Promise<void>;
}

/** Most counters that are kept; the least recently used ones are dropped. */
const counterLimit = 2_000;

/** Times of the requests of each counter, in order. */
const requests = new Map<string, number[]>();

function openWindow({ id, windowSeconds }: Counter, at: number): number[] {
  const times = requests.get(id) ?? [];
  // The oldest are in front: usually the first one is still in the window.
  const first = times.findIndex((time) => time > at - windowSeconds * 1000);
  times.splice(0, first < 0 ? times.length : first);
  requests.delete(id);
  requests.set(id, times);
  return times;
}

/** Counts a request in the memory of this process: in all counters, or in none if one of them refuses it. */
export function countInProcess(counters: readonly Counter[]): Tally {
  const at = Date.now();
  const open = counters.map((counter) => ({ ...counter, times: openWindow(counter, at) }));
  const counts = open.map(({ times, windowSeconds }): Count => {
    const freeAt = (times[0] ?? at) + windowSeconds * 1000;
    return { used: times.length, resetSeconds: Math.max(1, Math.ceil((freeAt - at) / 1000)) };
  });
  const isFull = ({ times, limit }: (typeof open)[number]) => times.length >= limit;
  const isRefused = open.some((each) => isFull(each) && !each.failures);
  const counted = isRefused ? [] : open.filter((each) => !isFull(each));
  for (const { times } of counted) times.push(at);
  for (const id of requests.keys()) {
    if (requests.size <= counterLimit) break;
    requests.delete(id);
  }
  return {
    counts,
    release: async (released) => {
      const ids = new Set(counted.map(({ id }) => id));
      for (const { id } of released) if (ids.has(id)) requests.get(id)?.pop();
    },
  };
}
