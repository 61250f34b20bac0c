import type { ErrorCode } from '#shared/errors/catalogue.ts';

/** One counter that a request is held against. */
export interface Counter {
  /** Tells counters apart; holds no plain account, mobile or address. */
  id: string;
  limit: number;
  windowSeconds: number;
  /** A request that the handler refuses with this code is removed from the counter. */
  exempt?: ErrorCode;
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
