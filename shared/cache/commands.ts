/**
 * The commands of Upstash's client that the service uses. Bundles and the type `Redis` leave out all others
 * (`esbuild.config.ts`).
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
