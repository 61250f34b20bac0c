import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';

const secret = z.string().check(z.minLength(32));
/** What the local stack keeps of itself between two starts. */
const localSecrets = z.object({ appKey: secret, redisToken: secret });
export type LocalSecrets = z.infer<typeof localSecrets>;

/**
 * The secrets of this data directory, made on first use and readable by their owner only.
 *
 * @param dataDir an existing folder
 */
export function readLocalSecrets(dataDir: string): LocalSecrets {
  const file = join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    const secrets: LocalSecrets = { appKey: createSecret(), redisToken: createSecret() };
    // At once, so that a start that is cut short leaves no half of it.
    writeFileSync(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  try {
    return z.parse(localSecrets, JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(
      `${file} is damaged: restore it, or remove it. New secrets are made then; they end every session, and settings ` +
        'that are secret have to be saved again',
      { cause: error },
    );
  }
}

const createSecret = () => randomBytes(32).toString('base64url');

/**
 * Creates a folder if it is missing. Level by level: below `/proc`, Node's recursive way never ends.
 *
 * @param variable that names the folder
 * @throws Error in one line if it cannot be created
 */
export function makeFolder(folder: string, variable: 'DATA_DIR' | 'STORAGE_DIR'): void {
  if (existsSync(folder)) {
    if (statSync(folder).isDirectory()) return;
    throw new Error(`${folder} is not a folder: set ${variable} to another one`);
  }
  makeFolder(dirname(folder), variable);
  try {
    mkdirSync(folder);
  } catch (error) {
    const code = String(Object(error).code);
    // Another process may have been faster.
    if (code === 'EEXIST') return;
    throw new Error(`${folder} cannot be created (${code}): set ${variable} to another folder`, {
      cause: error,
    });
  }
}

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
