import { RedisError, type Reply } from '../redis-backend.ts';
import { toSha1 } from '../script-aliases.ts';
import type { CallMock } from './call-mock.ts';
import { LUA_WRAPPER } from './lua-wrapper.ts';

/** Commands about scripts, answered here: ioredis-mock has no SCRIPT and keeps no script that was only loaded. */
export type ScriptRunner = (name: string, args: readonly string[]) => Promise<Reply>;

/**
 * Keeps the scripts of one store.
 *
 * @param catalogue - The commands that scripts may call, as `CommandCatalogue.text` has them.
 */
export function createScriptRunner(call: CallMock, catalogue: string): ScriptRunner {
  const scripts = new Map<string, string>();
  const evaluate = async (script: string, words: readonly string[]) => {
    const [keyCount, ...args] = checkKeyCount(words);
    return toReply(JSON.parse(String(await call('eval', LUA_WRAPPER, keyCount, ...args, catalogue, script))));
  };

  const keep = (script: string) => {
    const sha = toSha1(script);
    scripts.set(sha, script);
    return sha;
  };

  return async (name, [first = '', ...rest]) => {
    if (name === 'SCRIPT') return manage(scripts, keep, first.toUpperCase(), rest);
    if (name.startsWith('EVALSHA')) {
      const script = scripts.get(first.toLowerCase());
      if (script === undefined) throw new RedisError('NOSCRIPT No matching script. Please use EVAL.');
      return evaluate(script, rest);
    }
    keep(first);
    return evaluate(first, rest);
  };
}

function manage(
  scripts: Map<string, string>,
  keep: (script: string) => string,
  subcommand: string,
  args: readonly string[],
): Reply {
  if (subcommand === 'LOAD' && args[0] !== undefined) return keep(args[0]);
  if (subcommand === 'EXISTS') return args.map((sha) => (scripts.has(sha.toLowerCase()) ? 1 : 0));
  if (subcommand !== 'FLUSH')
    throw new RedisError(`ERR unknown subcommand '${subcommand}'. Try SCRIPT HELP.`);
  scripts.clear();
  return 'OK';
}

function checkKeyCount([keyCount = '', ...args]: readonly string[]): [keyCount: string, ...args: string[]] {
  if (!/^-?\d+$/.test(keyCount)) throw new RedisError('ERR value is not an integer or out of range');
  if (Number(keyCount) < 0) throw new RedisError("ERR Number of keys can't be negative");
  if (Number(keyCount) > args.length) {
    throw new RedisError("ERR Number of keys can't be greater than number of args");
  }
  return [keyCount, ...args];
}

function toReply(value: unknown): Reply {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value;
  // As ioredis does, an error inside an array stands there by its message.
  if (Array.isArray(value)) return value.map((item) => errorOf(item) ?? toReply(item));
  throw new RedisError(errorOf(value) ?? 'ERR the script returned nothing readable');
}

function errorOf(value: unknown): string | undefined {
  const isError = typeof value === 'object' && value !== null && 'error' in value;
  return isError ? String(value.error) : undefined;
}
