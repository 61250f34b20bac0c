import type { Count, Counter } from './counters.ts';

/** Most counters that are kept; past it the one that was used longest ago goes. */
const counterLimit = 10_000;

/** Counts in this process alone, by the same rule as the cache does. */
export function createProcessCounters(now: () => number = Date.now) {
  const requests = new Map<string, number[]>();

  return async (counters: Counter[]): Promise<Count[]> => {
    const at = now();
    const windows = counters.map(({ id, windowSeconds }) => {
      const inWindow = (requests.get(id) ?? []).filter((time) => time > at - windowSeconds * 1000);
      requests.delete(id);
      requests.set(id, inWindow);
      return inWindow;
    });
    const counts = windows.map((times, index): Count => {
      const freeAt = (times[0] ?? at) + (counters[index]?.windowSeconds ?? 0) * 1000;
      return { used: times.length, resetSeconds: Math.max(1, Math.ceil((freeAt - at) / 1000)) };
    });
    const isFull = counts.some(({ used }, index) => used >= (counters[index]?.limit ?? 0));
    if (!isFull) for (const times of windows) times.push(at);
    for (const id of requests.keys()) {
      if (requests.size <= counterLimit) break;
      requests.delete(id);
    }
    return counts;
  };
}

/** The counters of this process. */
export const countInProcess = createProcessCounters();
