import { RedisError } from '../redis-backend.ts';
import type { CallMock, Correction } from './call-mock.ts';
import { correctExpire } from './correct-expire.ts';
import { correctScan } from './correct-scan.ts';
import { correctGetEx, correctSet, correctSetEx } from './correct-set.ts';

/** Where ioredis-mock answers otherwise than Redis, by the command's name in upper case. */
export const CORRECTIONS: ReadonlyMap<string, Correction> = new Map<string, Correction>([
  ['SET', correctSet],
  ['GETEX', correctGetEx],
  ['SETEX', correctSetEx('setex')],
  ['PSETEX', correctSetEx('psetex')],
  ['EXPIRE', correctExpire('expire')],
  ['PEXPIRE', correctExpire('pexpire')],
  ['EXPIREAT', correctExpire('expireat')],
  ['PEXPIREAT', correctExpire('pexpireat')],
  ['SCAN', correctScan],
  // A value that is no integer counts as NaN, which is then stored.
  ['INCR', (call, args) => count(call, 'incr', args)],
  ['DECR', (call, args) => count(call, 'decr', args)],
  ['INCRBY', (call, args) => count(call, 'incrby', args)],
  ['DECRBY', (call, args) => count(call, 'decrby', args)],
  ['MGET', readMany],
  ['ZADD', addToSortedSet],
  ['STRLEN', measure],
  ['RENAME', rename],
  // TOUCH is missing; with no access times to alter, it does what EXISTS does.
  ['TOUCH', (call, args) => call('exists', ...args)],
]);

async function count(call: CallMock, name: string, args: readonly string[]): Promise<unknown> {
  const [key = '', step = '1'] = args;
  const current = (await call('get', key)) ?? '0';
  if (!/^-?\d+$/.test(step) || !/^-?\d+$/.test(String(current))) {
    throw new RedisError('ERR value is not an integer or out of range');
  }
  return call(name, ...args);
}

/** Keys of another type are returned as the object behind them; Redis answers null. */
async function readMany(call: CallMock, keys: readonly string[]): Promise<unknown> {
  const values = await call('mget', ...keys);
  return Array.isArray(values) ? values.map((value) => (typeof value === 'string' ? value : null)) : values;
}

/** The words are known in upper case only, and INCR answers a count in place of the score. */
async function addToSortedSet(call: CallMock, [key = '', ...rest]: readonly string[]): Promise<unknown> {
  const firstScore = rest.findIndex((word) => !/^(nx|xx|ch|incr)$/i.test(word));
  const words = rest.slice(0, firstScore).map((word) => word.toUpperCase());
  const pairs = rest.slice(firstScore);
  if (pairs.some((word, index) => index % 2 === 0 && Number.isNaN(toScore(word)))) {
    throw new RedisError('ERR value is not a valid float');
  }
  const reply = await call('zadd', key, ...words, ...pairs);
  return words.includes('INCR') ? call('zscore', key, pairs[1] ?? '') : reply;
}

function toScore(word: string): number {
  if (/^[+-]?inf$/i.test(word)) return word.startsWith('-') ? -Infinity : Infinity;
  return word === '' ? Number.NaN : Number(word);
}

/** Characters are counted; Redis counts bytes. */
async function measure(call: CallMock, [key = '']: readonly string[]): Promise<unknown> {
  return Buffer.byteLength(String((await call('get', key)) ?? ''));
}

/** A key that does not exist is renamed without complaint. */
async function rename(call: CallMock, args: readonly string[]): Promise<unknown> {
  if ((await call('exists', args[0] ?? '')) === 0) throw new RedisError('ERR no such key');
  return call('rename', ...args);
}
