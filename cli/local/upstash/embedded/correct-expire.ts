import { RedisError } from '../redis-backend.ts';
import type { Correction } from './call-mock.ts';

type ExpireName = 'expire' | 'pexpire' | 'expireat' | 'pexpireat';

/** `EXPIRE key n [NX|XX|GT|LT]` and its kin: ioredis-mock ignores the condition and takes any word for a number. */
export function correctExpire(name: ExpireName): Correction {
  return async (call, [key = '', amount = '', ...conditions]) => {
    if (!/^-?\d+$/.test(amount)) throw new RedisError('ERR value is not an integer or out of range');
    const current = Number(await call('pexpiretime', key));
    const wanted = toTimestampMs(name, Number(amount));
    const isMet = conditions.every((condition) => meets(condition, current, wanted));
    return isMet ? call(name, key, amount) : 0;
  };
}

function toTimestampMs(name: ExpireName, amount: number): number {
  const milliseconds = name.startsWith('p') ? amount : amount * 1_000;
  return name.endsWith('at') ? milliseconds : Date.now() + milliseconds;
}

/** @param current - When the key expires, in Unix milliseconds; negative when it does not. */
function meets(condition: string, current: number, wanted: number): boolean {
  const hasExpiry = current >= 0;
  switch (condition.toUpperCase()) {
    case 'NX':
      return !hasExpiry;
    case 'XX':
      return hasExpiry;
    case 'GT':
      return hasExpiry && wanted > current;
    case 'LT':
      return !hasExpiry || wanted < current;
    default:
      throw new RedisError(`ERR Unsupported option ${condition}`);
  }
}
