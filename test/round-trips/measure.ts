import { forgetRetention, readRetentionDays } from '#shared/audit/retention.ts';
import { redis } from '#shared/cache/redis.ts';
import { dropCached, prepareInvocation } from './invocation.ts';
import type { Kit } from './kit.ts';
import type { Recording, Waves } from './waves.ts';

/** The round trips of a function with everything cached, and with nothing. */
export interface Travels {
  hit: Recording;
  miss: Recording;
}

/**
 * Measures a scenario in a process that is warm: everything is loaded and connected.
 *
 * @throws Error if the answer is not a success
 */
export async function measure(kit: Kit, waves: Waves, scenario: string): Promise<Travels> {
  const prepare = async () => {
    const invoke = await prepareInvocation(kit, scenario);
    // A process reads it once a minute, in whichever request comes next.
    forgetRetention();
    await readRetentionDays();
    // Commands that earlier requests deferred have arrived.
    await redis().ping();
    return invoke;
  };
  await (await prepare()).run();
  const cold = await prepare();
  await dropCached(kit);
  const miss = await waves.record(cold.run);
  const warm = await prepare();
  await warm.passGates();
  await redis().ping();
  const hit = await waves.record(warm.run);
  return { hit, miss };
}
