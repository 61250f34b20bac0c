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
