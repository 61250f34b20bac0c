import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

/** What a local server leaves in its data directory, so that other processes find it. */
interface StackFile {
  pid: number;
  /** Where it listens from its first moment on. */
  port: number;
  /** How its stores are found, once they run. */
  environment?: NodeJS.ProcessEnv;
}

const fileOf = (dataDir: string) => join(dataDir, 'stack.json');

/**
 * Makes this process the one that serves a data directory.
 *
 * @param dataDir an existing folder
 * @param port that this process listens on before anything else
 * @throws Error naming the server that holds it
 */
export async function claimDataDir(dataDir: string, port: number): Promise<void> {
  const holder = readStack(dataDir);
  if (holder && holder.pid !== process.pid && isRunning(holder.pid) && (await isListening(holder.port))) {
    throw new Error(
      `${dataDir} is in use by the local server at http://localhost:${holder.port} (process ${holder.pid}): ` +
        'stop it, or set DATA_DIR to another folder',
    );
  }
  writeStack(dataDir, { pid: process.pid, port });
}

/** Leaves word of the stores, so that commands in other processes find them. */
export function rememberStack(dataDir: string, port: number, environment: NodeJS.ProcessEnv): void {
  writeStack(dataDir, { pid: process.pid, port, environment });
}

export function forgetStack(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

/** The environment of the local server that runs on a data directory; undefined if none does. */
export function findStack(dataDir: string): NodeJS.ProcessEnv | undefined {
  const stack = readStack(dataDir);
  // One that is gone was ended before it could forget itself.
  return stack && isRunning(stack.pid) ? stack.environment : undefined;
}

function writeStack(dataDir: string, stack: StackFile): void {
  writeFileSync(fileOf(dataDir), JSON.stringify(stack, null, 2), { mode: 0o600 });
}

function readStack(dataDir: string): StackFile | undefined {
  if (!existsSync(fileOf(dataDir))) return undefined;
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
  } catch {
    // A server that was killed while it wrote left half of it.
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Its number may have passed to another process since a server was killed; that one listens elsewhere. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
