import { queryPartition, type Write } from '#shared/db/items.ts';
import { keys } from '#shared/db/keys.ts';
import type { ErrorDetail } from '#shared/errors/app-error.ts';

/**
 * Writes for the transaction of a record that begins to refer to a dictionary value: two counters, and the
 * check that the value exists.
 *
 * @param module route prefix of the referring module
 */
export function addUsage(typeKey: string, value: string, module: string): Write[] {
  return [
    {
      ConditionCheck: {
        Key: { ...keys.dictItem(typeKey, value) },
        ConditionExpression: 'attribute_exists(pk)',
      },
    },
    ...countUsage(typeKey, value, module, 1),
  ];
}

/** Writes for the transaction of a record that ceases to refer to a dictionary value. */
export function removeUsage(typeKey: string, value: string, module: string): Write[] {
  return countUsage(typeKey, value, module, -1);
}

function countUsage(typeKey: string, value: string, module: string, by: 1 | -1): Write[] {
  return [keys.usage(typeKey, value, module), keys.usageTotal(typeKey, value)].map((key) => ({
    Update: {
      Key: { ...key },
      UpdateExpression: 'ADD #count :by',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':by': by },
    },
  }));
}

/** The check that nothing refers to a value, for the transaction that takes it away. */
export function checkUnused(typeKey: string, value: string): Write {
  return {
    ConditionCheck: {
      Key: { ...keys.usageTotal(typeKey, value) },
      ConditionExpression: 'attribute_not_exists(pk) OR #count = :none',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':none': 0 },
    },
  };
}

/** How often each module refers to a value, as answered under `errors`: path = module, message = count. */
export async function listUsages(typeKey: string, value: string): Promise<ErrorDetail[]> {
  const items = await queryPartition(keys.usages(typeKey, value));
  const total = keys.usageTotal(typeKey, value).sk;
  return items
    .filter((item) => item.sk !== total && Number(item.count) > 0)
    .map((item) => ({ path: String(item.sk), message: String(item.count) }));
}
