import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';

const secret = z.string().check(z.minLength(32));
const localSecrets = z.object({ appKey: secret, redisToken: secret });
type LocalSecrets = z.infer<typeof localSecrets>;

/**
 * The secrets of a data directory. They are created on first use; only their owner may read them.
 *
 * @param dataDir an existing folder
 */
export function readLocalSecrets(dataDir: string): LocalSecrets {
  const file = join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    const secrets: LocalSecrets = { appKey: createSecret(), redisToken: createSecret() };
    // A rename, so that an interrupted start leaves no incomplete file.
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
 * Creates a folder if it is missing. Level by level: below `/proc`, Node's `recursive` never ends.
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
    // Another process was faster.
    if (code === 'EEXIST') return;
    throw new Error(`${folder} cannot be created (${code}): set ${variable} to another folder`, {
      cause: error,
    });
  }
}

/** A local server's file in its data directory, by which other processes find it. */
interface StackFile {
  pid: number;
  /** It listens here before it does anything else. */
  port: number;
  /** Settings that its stores are found by, once they run. */
  environment?: NodeJS.ProcessEnv;
}

const fileOf = (dataDir: string) => join(dataDir, 'stack.json');

/**
 * Claims a data directory for this process.
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

/** Writes down how commands in other processes find the stores. */
export function rememberStack(dataDir: string, port: number, environment: NodeJS.ProcessEnv): void {
  writeStack(dataDir, { pid: process.pid, port, environment });
}

export function forgetStack(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

/** The environment of the local server that runs on a data directory; undefined if none does. */
export function findStack(dataDir: string): NodeJS.ProcessEnv | undefined {
  const stack = readStack(dataDir);
  // A killed server leaves its file behind.
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
    // A server was killed while it wrote.
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

/** Tells a server from another process that got the ID of a killed server: that one listens elsewhere. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
