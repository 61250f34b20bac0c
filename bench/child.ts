import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** A script of `bench/child` and what it is started with. */
export interface ChildOptions {
  script: 'cold' | 'inspect' | 'record' | 'redis' | 'serve';
  args: string[];
  /** All of its environment. */
  environment: Record<string, string>;
}

/** Starts a script that talks to this process. What the functions log is dropped. */
export function startChild({ script, args, environment }: ChildOptions): ChildProcess {
  return spawn(process.execPath, [toPath(script), ...args], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/**
 * Runs a script to its end. What the functions log is dropped.
 *
 * @returns what it wrote to file descriptor 3, as JSON
 * @throws Error with what it printed when it fails
 */
export async function runChild<Result>({ script, args, environment }: ChildOptions): Promise<Result> {
  const child = spawn(process.execPath, [toPath(script), ...args], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, errors, findings] = child.stdio.slice(1) as [null, Readable, Readable];
  const [printed, written] = await Promise.all([text(errors), text(findings), once(child, 'close')]);
  if (child.exitCode !== 0)
    throw new Error(`${script}.mjs ended with ${child.exitCode}:\n${printed.slice(-1500)}`);
  return JSON.parse(written);
}

/** The next message of a script. @throws Error when it ends without one */
export async function receive<Message>(child: ChildProcess): Promise<Message> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`${child.spawnargs[1]} ended with ${code} before it answered`);
  });
  // After the message, a failure at the end no longer matters.
  ended.catch(() => {});
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
    return message;
  } finally {
    waiting.abort();
  }
}

const toPath = (script: string): string => join(import.meta.dirname, 'child', `${script}.mjs`);
