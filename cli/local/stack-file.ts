import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileOf = (dataDir: string) => join(dataDir, 'stack.json');

/** Leaves word of a running local stack, so that commands in other processes find its stores. */
export function rememberStack(dataDir: string, environment: NodeJS.ProcessEnv): void {
  const text = JSON.stringify({ pid: process.pid, environment }, null, 2);
  writeFileSync(fileOf(dataDir), text, { mode: 0o600 });
}

export function forgetStack(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

/** The environment of the local stack that runs on a data directory; undefined where none does. */
export function findStack(dataDir: string): NodeJS.ProcessEnv | undefined {
  if (!existsSync(fileOf(dataDir))) return undefined;
  const { pid, environment }: { pid: number; environment: NodeJS.ProcessEnv } = JSON.parse(
    readFileSync(fileOf(dataDir), 'utf8'),
  );
  try {
    process.kill(pid, 0);
    return environment;
  } catch {
    return undefined; // Its process is gone: it was ended before it could forget itself.
  }
}
