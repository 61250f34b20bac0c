/** A Redis command in Upstash's REST protocol: its name, then its arguments. */
export type Command = readonly [name: string, ...args: (string | number)[]];
export type RedisResult = string | number | null | RedisResult[];

/** The cache cannot be reached, or did not answer in time. */
export class CacheUnavailableError extends Error {
  override readonly name = 'CacheUnavailableError';
}

/** The cache refused a command. */
export class CacheCommandError extends Error {
  override readonly name = 'CacheCommandError';
}

/** The answer to one command of a pipeline. */
export type Reply = { result?: RedisResult; error?: string };
/** Sends a pipeline and returns its replies in the same order. */
export type Transport = (commands: Command[]) => Promise<Reply[]>;

/** The used commands of Upstash's client. Bundles (`esbuild.config.ts`) and the type `Redis` leave out all others. */
export const commands = [
  'del',
  'eval',
  'evalsha',
  'expire',
  'get',
  'incr',
  'mget',
  'ping',
  'pttl',
  'scan',
  'set',
  'zrem',
] as const;
