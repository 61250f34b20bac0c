import { createRandom } from '../../shared/module/demo.ts';

/** Minutes after which an idle instance is gone: AWS publishes no number, and measurements of others say 5 to 15. */
const idleMs = 10 * 60_000;
/** A warm request. */
const busyMs = 40;
const dayMs = 86_400_000;

/** Requests of one route of a function. */
export interface Traffic {
  functionName: string;
  /** Part of all requests, from 0 to 1. */
  part: number;
}

/** Twice the mean at noon and nothing at midnight. */
const atTime = (time: number): number => 1 - Math.cos((time / dayMs) * 2 * Math.PI);

/**
 * The part of a day's requests that an instance answers which has answered before. Requests arrive at random, more of
 * them at noon than at night; an instance answers one at a time.
 *
 * @param perDay requests in the day
 */
export function simulateDay(traffic: readonly Traffic[], perDay: number): number {
  const random = createRandom(1);
  /** Times at which the instances of a function are free again. */
  const instances = new Map<string, number[]>();
  let cold = 0;
  let requests = 0;
  for (let time = 0; time < dayMs; ) {
    // At the rate of noon; those of other times are a part of them.
    time += (-Math.log(1 - random()) * dayMs) / (2 * perDay);
    if (random() * 2 > atTime(time)) continue;
    const name = choose(traffic, random());
    const alive = (instances.get(name) ?? []).filter((free) => free > time - idleMs);
    // Lambda prefers the one that answered last.
    const warm = alive.filter((free) => free <= time).sort((a, b) => b - a)[0];
    if (warm === undefined) cold++;
    else alive.splice(alive.indexOf(warm), 1);
    instances.set(name, [...alive, time + busyMs]);
    requests++;
  }
  return 1 - cold / requests;
}

function choose(traffic: readonly Traffic[], at: number): string {
  let sum = 0;
  for (const { functionName, part } of traffic) {
    sum += part;
    if (at < sum) return functionName;
  }
  return traffic.at(-1)?.functionName ?? '';
}
