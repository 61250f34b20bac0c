import * as z from 'zod/mini';
import { settleAll } from '#shared/async/settle-all.ts';
import { redis } from '#shared/cache/redis.ts';
import { getItem } from '#shared/db/items.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { web } from '#shared/http/route.ts';
import { log } from '#shared/log/log.ts';

const check = z.enum(['up', 'down']);

const health = z.strictObject({
  status: z.enum(['ok', 'degraded', 'down']),
  checks: z.strictObject({ database: check, cache: check }),
});

export default web.get({
  summary: { zh_CN: '健康检查', en: 'Health of the service' },
  data: health,
  errors: ['database.unavailable'],
  reference: { errorData: { 'database.unavailable': health } },
  handler: async () => {
    const [database, cache] = await settleAll([
      probe('database', () => getItem({ pk: 'HEALTH', sk: 'HEALTH' })),
      probe('cache', () => redis().ping()),
    ]);
    const checks = { database, cache };
    if (database === 'down') {
      throw new AppError('database.unavailable', { data: { status: 'down', checks } });
    }
    return { status: cache === 'up' ? 'ok' : 'degraded', checks } as const;
  },
});

/** Checks whether a store answers; logs the error if not. */
async function probe(store: string, ask: () => Promise<unknown>): Promise<'up' | 'down'> {
  try {
    await ask();
    return 'up';
  } catch (error) {
    log.warn('health.down', { store, error });
    return 'down';
  }
}
