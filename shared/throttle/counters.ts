/** One counter that a request is held against. */
export interface Counter {
  /** Tells counters apart; holds no plain account, mobile or address. */
  id: string;
  limit: number;
  windowSeconds: number;
}

/** What a counter said. */
export interface Count {
  /** Requests in the window before this one. */
  used: number;
  /** Seconds until the next place is free. */
  resetSeconds: number;
}

/**
 * Counts a request in all counters, or in none if one of them is full.
 *
 * @returns a count for each counter, in their order, as it was before this request
 */
export type CountRequest = (counters: Counter[]) => Promise<Count[]>;
