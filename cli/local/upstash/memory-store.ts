import { createHash, randomUUID } from 'node:crypto';
import RedisMock from 'ioredis-mock';
import type { CommandName, RedisStore } from './protocol.ts';

/** Encodes the result of a script as JSON, because ioredis-mock cannot return tables. */
const encoder = String.raw`
local function encode(value)
  if type(value) == 'number' then return string.format('%.0f', value) end
  if type(value) == 'string' then
    return '"' .. string.gsub(value, '[%c"\\]', function(c) return string.format('\\u%04x', string.byte(c)) end) .. '"'
  end
  if type(value) ~= 'table' then return 'null' end
  local items = {}
  for i, item in ipairs(value) do items[i] = encode(item) end
  return '[' .. table.concat(items, ',') .. ']'
end
`;

type Run = (...args: string[]) => Promise<unknown>;

export async function createMemoryStore(): Promise<RedisStore> {
  // Instances of the same host share their data.
  const redis = new RedisMock({ host: randomUUID() });
  const scripts = new Map<string, string>();
  const evaluate = async (script: string, keyCount = '0', ...args: string[]) =>
    JSON.parse(
      String(await redis.eval(`${encoder}return encode((function() ${script} end)())`, keyCount, ...args)),
    );

  /** The commands that ioredis-mock answers differently from Redis. */
  const corrected: Partial<Record<CommandName, Run>> = {
    // It accepts options in upper case only.
    set: (key = '', value = '', ...options) =>
      call('set', key, value, ...options.map((word) => word.toUpperCase())),
    // It ignores the condition.
    expire: async (key = '', seconds = '', condition = '') =>
      condition.toUpperCase() === 'NX' && (await redis.pttl(key)) >= 0 ? 0 : redis.expire(key, seconds),
    // Its cursor misses keys if others are deleted meanwhile. So one page holds all keys.
    scan: async (_cursor, ...options) => {
      const match = options.findIndex((word) => word.toUpperCase() === 'MATCH');
      return ['0', await redis.keys(match < 0 ? '*' : (options[match + 1] ?? ''))];
    },
    eval: (script = '', ...args) => {
      scripts.set(createHash('sha1').update(script).digest('hex'), script);
      return evaluate(script, ...args);
    },
    evalsha: async (sha = '', ...args) => {
      const script = scripts.get(sha);
      if (script === undefined) throw new Error('NOSCRIPT No matching script. Please use EVAL.');
      return evaluate(script, ...args);
    },
  };
  const call = (name: CommandName, ...args: string[]): Promise<unknown> =>
    Reflect.apply(redis[name], redis, args);

  return {
    async run(name, args) {
      try {
        return { result: await (corrected[name]?.(...args) ?? call(name, ...args)) };
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        // Some of its messages lack the code word.
        return { error: /^[A-Z]+ /.test(message) ? message : `ERR ${message}` };
      }
    },
    async close() {
      await redis.flushall();
      redis.disconnect();
    },
  };
}
