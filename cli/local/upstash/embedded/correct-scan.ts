import { createHash } from 'node:crypto';
import { RedisError } from '../redis-backend.ts';
import type { Correction } from './call-mock.ts';

/**
 * `SCAN cursor [MATCH p] [COUNT n] [TYPE t]`. ioredis-mock counts positions, so that keys deleted on the way make
 * it skip others, wants MATCH before COUNT and knows no TYPE. Here keys are visited in the order of their hash and
 * the cursor is the next hash: what is there from beginning to end is returned, as Redis guarantees.
 */
export const correctScan: Correction = async (call, [cursor = '', ...words]) => {
  if (!/^\d+$/.test(cursor)) throw new RedisError('ERR invalid cursor');
  const { match, count, type } = readOptions(words);
  const found = await call('keys', match);
  const keys = (Array.isArray(found) ? found.map(String) : [])
    .map((key) => ({ key, position: toPosition(key) }))
    .filter(({ position }) => position >= Number(cursor))
    .sort((a, b) => a.position - b.position);
  // Keys of one hash belong to one page, or the cursor could not tell them apart.
  const next = keys.find(({ position }, index) => index >= count && position !== keys[index - 1]?.position);
  const page = keys
    .filter(({ position }) => next === undefined || position < next.position)
    .map(({ key }) => key);
  const types = await Promise.all(page.map((key) => (type === undefined ? type : call('type', key))));
  return [String(next?.position ?? 0), page.filter((_, index) => types[index] === type)];
};

function readOptions(words: readonly string[]) {
  const options = { match: '*', count: 10, type: undefined as string | undefined };
  for (let i = 0; i < words.length; i += 2) {
    const value = words[i + 1];
    const name = words[i]?.toUpperCase();
    if (value === undefined) throw new RedisError('ERR syntax error');
    if (name === 'MATCH') options.match = value;
    else if (name === 'TYPE') options.type = value.toLowerCase();
    else if (name === 'COUNT' && /^[1-9]\d*$/.test(value)) options.count = Number(value);
    else throw new RedisError('ERR syntax error');
  }
  return options;
}

/** From 1, since 0 is the cursor of the beginning and the end. */
function toPosition(key: string): number {
  return createHash('sha1').update(key).digest().readUInt32BE(0) + 1;
}
