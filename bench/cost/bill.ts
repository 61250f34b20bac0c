import { countStreamCommands, sumOf, type Usage } from '../accounting/access.ts';
import type { Recorded } from '../accounting/record.ts';
import { assumed, prices } from './prices.ts';

/** What one request consumes. */
export interface Bill {
  /** With those of the stream's listener afterwards. */
  commands: number;
  writeUnits: number;
  readUnits: number;
  billedMs: number;
  gbMs: number;
  /** Dollars for a million such requests. */
  perMillion: number;
}

/** The database's part of a usage; the cache is counted in commands. */
const ofDatabase = ({ accesses }: Usage) => accesses.filter(({ place }) => place !== 'cache');

/** Billed milliseconds: the time measured here at the share of a processor, and the round trips. */
export function toBilledMs({ computeMs }: Usage, memoryMb: number, roundTrips: number): number {
  const slowdown = Math.max(1, assumed.fullCpuMemoryMb / memoryMb);
  return Math.ceil(computeMs * slowdown + roundTrips * assumed.roundTripMs);
}

/**
 * What a request costs.
 *
 * @param roundTrips that follow one another
 * @param isRouted whether it comes through the gateway
 */
export function toBill(usage: Usage, memoryMb: number, roundTrips: number, isRouted = true): Bill {
  const writeUnits = sumOf(ofDatabase(usage), 'writeUnits');
  const readUnits = sumOf(ofDatabase(usage), 'readUnits');
  const commands = usage.commands + countStreamCommands(usage);
  const billedMs = toBilledMs(usage, memoryMb, roundTrips);
  const gbMs = (memoryMb / 1024) * billedMs;
  const each =
    prices.lambdaRequest +
    (isRouted ? prices.gatewayRequest : 0) +
    (gbMs / 1000) * prices.lambdaGbSecond +
    commands * prices.command +
    writeUnits * prices.writeUnit +
    readUnits * prices.readUnit;
  return { commands, writeUnits, readUnits, billedMs, gbMs, perMillion: each * 1e6 };
}

/** The bills of a scenario, warm and with nothing cached. */
export interface ScenarioBill {
  scenario: string;
  memoryMb: number;
  hit: Bill;
  miss: Bill;
}

/** @param roundTrips as `bench/budgets.json` records them */
export function toScenarioBill(
  { scenario, memoryMb, hit, miss }: Recorded,
  roundTrips: { hit: number; miss: number },
): ScenarioBill {
  const isRouted = !/-(job|stream)-/.test(scenario);
  return {
    scenario,
    memoryMb,
    hit: toBill(hit, memoryMb, roundTrips.hit, isRouted),
    miss: toBill(miss, memoryMb, roundTrips.miss, isRouted),
  };
}
