/**
 * The commands of Upstash's client that the service uses. Bundles leave out the others (`esbuild.config.ts`), and the
 * type `Redis` has no others, so a command that is missing here does not compile.
 */
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
