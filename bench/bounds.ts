import { resolve } from 'node:path';
import { readBudgetFile } from '../cli/package/budgets/budget-file.ts';
import type { Result } from './measure.ts';

/** The bounds of a function; a missing one is only reported. */
interface Limits {
  startBytes?: number;
  allBytes?: number;
  /** Ratio of ours to bare, from the start of the process to the first answer. */
  coldRatio?: number;
  /** Ratio of ours to bare. */
  warmRatio?: { p50: number; p99: number };
  /** Resident memory at the first answer, over the empty handler's. */
  memoryRatio?: number;
  /** Requests to the database with everything cached. */
  databaseRequests: number;
}

const cached: Limits = {
  startBytes: 128 * 1024,
  coldRatio: 0.72,
  warmRatio: { p50: 0.72, p99: 1 },
  memoryRatio: 1.25,
  databaseRequests: 0,
};

const limits: Record<Result['label'], Limits> = {
  public: cached,
  admin: cached,
  list: {
    startBytes: 128 * 1024,
    allBytes: 400 * 1024,
    coldRatio: 0.68,
    warmRatio: { p50: 0.82, p99: 1 },
    memoryRatio: 1.35,
    databaseRequests: 1,
  },
  // It records an upload before and after, in transactions; a minimal one is a single write.
  upload: {
    coldRatio: 0.8,
    memoryRatio: 1.45,
    databaseRequests: 2,
  },
  mcp: {
    coldRatio: 0.85,
    warmRatio: { p50: 0.95, p99: 1 },
    databaseRequests: 0,
  },
};

const recorded = readBudgetFile(resolve(import.meta.dirname, '..')).roundTrips;

/** The bounds that a result breaks, each in one line. */
export function listBroken({ label, functionName, size, load, cold, warm, travel }: Result): string[] {
  const most = limits[label];
  const { ours } = travel.hit;
  const { hit = 0, miss = 0 } = recorded[functionName] ?? {};
  // At most two requests may be under way at the same time.
  const mostAsked = Math.max(2, hit);
  return [
    above('bytes at start', size.ours.start, most.startBytes),
    above('bytes in all', size.ours.all, most.allBytes),
    above("cold start over the bare handler's", cold.processMs.ours.ratio, most.coldRatio),
    above("memory over the empty handler's", cold.residentMb.ours.ratio, most.memoryRatio),
    above("warm p50 over the bare handler's", warm.p50.ours.ratio, most.warmRatio?.p50),
    above("warm p99 over the bare handler's", warm.p99.ours.ratio, most.warmRatio?.p99),
    above('round trips on a hit', ours.roundTrips, hit),
    above('round trips on a miss', travel.miss.roundTrips, miss),
    above('requests to the cache on a hit', ours.requests.redis, mostAsked),
    above('requests to the database on a hit', ours.requests.dynamodb, most.databaseRequests),
    load.ours.isSdkLoaded && most.databaseRequests === 0 && 'the AWS SDK is loaded on a hit',
    load.ours.isUndiciLoaded && 'undici is loaded on a hit',
  ].flatMap((text) => (text ? [`${functionName}: ${text}`] : []));
}

const above = (what: string, value: number, most: number | undefined): string | false =>
  most !== undefined && value > most && `${what}: ${Number(value.toFixed(3))}, at most ${most}`;
