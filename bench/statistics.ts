import { type ByHandler, type HandlerName, mapHandlers } from './handlers.ts';

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

/** What a series of measurements says, beside another whose measurements were taken in turn with it. */
export interface Series {
  /** Its median. */
  value: number;
  /** Median over median. */
  ratio: number;
  /** Percentiles of the ratios of single turns. */
  p10: number;
  p90: number;
}

export function compare(values: readonly number[], base: readonly number[]): Series {
  const turns = values.map((value, turn) => value / (base[turn] ?? Number.NaN));
  const value = percentile(values, 0.5);
  return {
    value,
    ratio: value / percentile(base, 0.5),
    p10: percentile(turns, 0.1),
    p90: percentile(turns, 0.9),
  };
}

/** The series of every handler beside one of them. */
export const compareWith = (base: HandlerName, series: ByHandler<number[]>): ByHandler<Series> =>
  mapHandlers(series, (values) => compare(values, series[base]));

/**
 * How many round trips followed one another. Other work only adds time, so the fastest
 * measurement is the most exact.
 *
 * @param roundTripMs how long the delaying proxies hold up one question and its answer
 */
export function countRoundTrips(durationsMs: readonly number[], roundTripMs: number): number {
  return Math.round(Math.min(...durationsMs) / roundTripMs);
}
