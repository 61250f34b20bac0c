import { ConditionError } from './errors.ts';
import { transact } from './items.ts';
import { keys } from './keys.ts';
import { ttlAttribute } from './table.ts';

/**
 * Uses up a thing that may be used once.
 *
 * @param kind what it is, such as `captcha_token`
 * @param expiresAt Unix seconds after which it is refused for its age; remembered until then
 * @returns whether this was the first use
 */
export async function useOnce(kind: string, id: string, expiresAt: number): Promise<boolean> {
  try {
    const Item = { ...keys.once(kind, id), [ttlAttribute]: expiresAt };
    await transact([{ Put: { Item, ConditionExpression: 'attribute_not_exists(pk)' } }]);
    return true;
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
}
