import { randomUUID } from 'node:crypto';
import RedisMock from 'ioredis-mock';
import { assertAvailable } from '../available-commands.ts';
import {
  type Outcome,
  type RedisBackend,
  type RedisCommand,
  RedisError,
  type Reply,
} from '../redis-backend.ts';
import type { CallMock } from './call-mock.ts';
import { readCatalogue } from './command-catalogue.ts';
import { CORRECTIONS } from './corrections.ts';
import { createScriptRunner } from './run-script.ts';

const SCRIPTING = new Set(['EVAL', 'EVAL_RO', 'EVALSHA', 'EVALSHA_RO', 'SCRIPT']);

/** Runs commands on a store in this process's memory, its own for each call. */
export async function createEmbeddedBackend(): Promise<RedisBackend> {
  // ioredis-mock gives instances of the same host and port the same data.
  const redis = new RedisMock({ host: randomUUID() });
  const call: CallMock = async (name, ...args) => Reflect.apply(Reflect.get(redis, name), redis, args);
  // What ioredis-mock lacks is there too, as functions that throw, but they are not enumerable.
  const own = new Set(Object.keys(redis));
  const isSupported = (name: string) =>
    own.has(name) || CORRECTIONS.has(name.toUpperCase()) || SCRIPTING.has(name.toUpperCase());
  const catalogue = readCatalogue(await call('command'), isSupported);
  const runScript = createScriptRunner(call, catalogue.text);

  const check = (command: RedisCommand) => {
    assertAvailable(command);
    catalogue.check(command);
  };
  const execute = async ({ name, args }: RedisCommand): Promise<Outcome> => {
    try {
      const texts = args.map(String);
      check({ name, args });
      if (SCRIPTING.has(name)) return { result: await runScript(name, texts) };
      await assertType(call, catalogue.keyTypeOf(name), texts[0] ?? '');
      const correct = CORRECTIONS.get(name);
      return { result: toReply(await (correct ? correct(call, texts) : call(name.toLowerCase(), ...texts))) };
    } catch (error) {
      return { error: toMessage(error) };
    }
  };

  // A command may take several calls of the store, so one set of commands runs after another.
  let lastRun: Promise<unknown> = Promise.resolve();
  const run = (commands: readonly RedisCommand[]) => {
    const outcomes = lastRun.then(async () => {
      const done: Outcome[] = [];
      for (const command of commands) done.push(await execute(command));
      return done;
    });
    lastRun = outcomes;
    return outcomes;
  };

  return {
    run,
    async transact(commands) {
      commands.forEach(check);
      return run(commands);
    },
    async close() {
      await lastRun;
      await redis.flushall();
      redis.disconnect();
    },
  };
}

async function assertType(call: CallMock, expected: string | undefined, key: string): Promise<void> {
  if (expected === undefined) return;
  const actual = await call('type', key);
  if (actual === expected || actual === 'none') return;
  throw new RedisError('WRONGTYPE Operation against a key holding the wrong kind of value');
}

function toReply(value: unknown): Reply {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(toReply);
  // A hash arrives as an object; on the wire it is a list of fields and values.
  return Object.entries(value).flat().map(toReply);
}

/** ioredis-mock leaves the code word out of some messages. */
function toMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /^[A-Z]+ /.test(message) ? message : `ERR ${message}`;
}
