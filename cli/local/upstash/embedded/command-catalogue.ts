import { type RedisCommand, RedisError } from '../redis-backend.ts';

/** What Redis documents of a command, as far as it is checked here. */
interface CommandInfo {
  /** Number of words with the name; a negative one is the least. */
  readonly arity: number;
  /** The type that the first key must have, where the command works on one type only. */
  readonly keyType: string | undefined;
}

/** Commands that exist and how many arguments they take. */
export interface CommandCatalogue {
  /** @throws RedisError when the command is unknown or has the wrong number of arguments. */
  check(command: RedisCommand): void;
  /** The type that the first key must have or be absent; `undefined` when any will do. */
  keyTypeOf(name: string): string | undefined;
  /** ` NAME:arity:type` for each command, which a script can search without any parsing. */
  readonly text: string;
}

const TYPE_BY_CATEGORY = new Map([
  ['@string', 'string'],
  ['@hash', 'hash'],
  ['@list', 'list'],
  ['@set', 'set'],
  ['@sortedset', 'zset'],
]);
// These replace whatever is there, or answer null for it.
const ANY_TYPE = new Set('SET SETEX PSETEX SETNX MSET MSETNX MGET'.split(' '));
const PAIRED = new Map([
  ['MSET', 0],
  ['MSETNX', 0],
  ['HSET', 1],
  ['HMSET', 1],
]);

/**
 * Reads the catalogue from Redis's own answer to `COMMAND`.
 *
 * @param answer - One row a command: name, arity, …, categories.
 * @param isSupported - Tells which of them the store runs, by name in lower case.
 */
export function readCatalogue(answer: unknown, isSupported: (name: string) => boolean): CommandCatalogue {
  const infos = new Map<string, CommandInfo>();
  for (const row of Array.isArray(answer) ? answer : []) {
    const [name, arity, , firstKey, , , categories] = Array.isArray(row) ? row : [];
    if (typeof name !== 'string' || typeof arity !== 'number' || !isSupported(name)) continue;
    const category =
      Array.isArray(categories) && firstKey === 1 ? categories.find((c) => TYPE_BY_CATEGORY.has(c)) : '';
    infos.set(name.toUpperCase(), { arity, keyType: TYPE_BY_CATEGORY.get(category) });
  }
  const keyTypeOf = (name: string) => (ANY_TYPE.has(name) ? undefined : infos.get(name)?.keyType);
  const entries = Array.from(infos, ([name, { arity }]) => ` ${name}:${arity}:${keyTypeOf(name) ?? ''}`);
  return {
    keyTypeOf,
    text: entries.join(''),
    check({ name, args }) {
      const info = infos.get(name);
      if (info === undefined) throw new RedisError(`ERR unknown command '${name}'`);
      const words = args.length + 1;
      const isCountRight = info.arity < 0 ? words >= -info.arity : words === info.arity;
      const unpaired = PAIRED.get(name);
      if (!isCountRight || (unpaired !== undefined && (args.length - unpaired) % 2 !== 0)) {
        throw new RedisError(`ERR wrong number of arguments for '${name.toLowerCase()}' command`);
      }
    },
  };
}
