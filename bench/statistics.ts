/** What a series of measurements says. */
export interface Summary {
  median: number;
  p10: number;
  p90: number;
  p99: number;
}

/**
 * The smallest measurement that at least this part of all does not exceed (nearest rank).
 *
 * @param part from 0 (exclusive) to 1
 * @throws RangeError when there are no measurements
 */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('there are no measurements');
  return value;
}

export function summarize(values: readonly number[]): Summary {
  return {
    median: percentile(values, 0.5),
    p10: percentile(values, 0.1),
    p90: percentile(values, 0.9),
    p99: percentile(values, 0.99),
  };
}

/** How one series compares with another, whose measurements were taken in turn with it. */
export interface Ratio {
  /** Median over median. */
  ratio: number;
  /** Of the ratios of single turns. */
  p10: number;
  p90: number;
}

export function compare(values: readonly number[], base: readonly number[]): Ratio {
  const turns = values.map((value, turn) => value / (base[turn] ?? Number.NaN));
  return {
    ratio: percentile(values, 0.5) / percentile(base, 0.5),
    p10: percentile(turns, 0.1),
    p90: percentile(turns, 0.9),
  };
}

/**
 * How many round trips followed one another. Work on the way only adds to the time, so that the fastest
 * measurement tells it best.
 *
 * @param roundTripMs how long the delaying proxies hold up one question and its answer
 */
export function countRoundTrips(durationsMs: readonly number[], roundTripMs: number): number {
  return Math.round(Math.min(...durationsMs) / roundTripMs);
}
