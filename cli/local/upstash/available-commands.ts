import { type RedisCommand, RedisError } from './redis-backend.ts';

// One connection serves every request: a command that changes its state or holds it up would reach the others.
const UNAVAILABLE = new Set(
  [
    'AUTH HELLO SELECT QUIT RESET CLIENT READONLY READWRITE ASKING CLUSTER',
    'MULTI EXEC DISCARD WATCH UNWATCH MONITOR',
    'SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE',
    'BLPOP BRPOP BRPOPLPUSH BLMOVE BLMPOP BZPOPMIN BZPOPMAX BZMPOP WAIT WAITAOF',
    'SHUTDOWN DEBUG SYNC PSYNC REPLICAOF SLAVEOF FAILOVER SAVE BGSAVE BGREWRITEAOF CONFIG MODULE MIGRATE',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Refuses what Upstash does not offer over HTTP either.
 *
 * @throws RedisError when the command needs a connection of its own or administers the server.
 */
export function assertAvailable(command: RedisCommand): void {
  if (UNAVAILABLE.has(command.name)) throw new RedisError(`ERR Command is not available: '${command.name}'`);
}
