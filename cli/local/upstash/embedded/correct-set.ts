import { RedisError } from '../redis-backend.ts';
import type { Correction } from './call-mock.ts';

const EXPIRIES = new Set(['EX', 'PX', 'EXAT', 'PXAT']);

interface SetOptions {
  readonly flags: Set<string>;
  readonly expiry: readonly string[];
}

/**
 * `SET key value [NX|XX] [GET] [KEEPTTL | EX n | …]`. ioredis-mock knows the words in upper case only, loses the
 * expiry when `GET` stands before it, drops it for `KEEPTTL`, and checks neither words nor numbers.
 */
export const correctSet: Correction = async (call, [key = '', value = '', ...words]) => {
  const { flags, expiry } = readOptions(words);
  const kept = flags.has('KEEPTTL') ? Number(await call('pttl', key)) : -1;
  const conditions = ['NX', 'XX', 'GET'].filter((flag) => flags.has(flag));
  return call('set', key, value, ...(kept > 0 ? ['PX', String(kept)] : expiry), ...conditions);
};

/** `GETEX` takes the same options and needs the same number checked. */
export const correctGetEx: Correction = async (call, [key = '', ...words]) => {
  const options = words.map((word) => word.toUpperCase());
  if (EXPIRIES.has(options[0] ?? '')) readExpiry(options[1], 'getex');
  return call('getex', key, ...options);
};

/** `SETEX` and `PSETEX` store a value whatever their number is. */
export function correctSetEx(name: 'setex' | 'psetex'): Correction {
  return async (call, [key = '', expiry, value = '']) => call(name, key, readExpiry(expiry, name), value);
}

function readOptions(words: readonly string[]): SetOptions {
  const flags = new Set<string>();
  let expiry: readonly string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i]?.toUpperCase() ?? '';
    if (EXPIRIES.has(word) && expiry.length === 0) {
      i += 1;
      expiry = [word, readExpiry(words[i], 'set')];
    } else if (['NX', 'XX', 'GET', 'KEEPTTL'].includes(word)) flags.add(word);
    else throw new RedisError('ERR syntax error');
  }
  const isContradictory = (flags.has('NX') && flags.has('XX')) || (flags.has('KEEPTTL') && expiry.length > 0);
  if (isContradictory) throw new RedisError('ERR syntax error');
  return { flags, expiry };
}

function readExpiry(word: string | undefined, command: string): string {
  if (word === undefined) throw new RedisError('ERR syntax error');
  if (!/^-?\d+$/.test(word)) throw new RedisError('ERR value is not an integer or out of range');
  if (Number(word) <= 0) throw new RedisError(`ERR invalid expire time in '${command}' command`);
  return word;
}
