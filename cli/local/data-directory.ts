import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { isFree } from './free-port.ts';

const secret = z.string().check(z.minLength(32));
const localSecrets = z.object({ appKey: secret, redisToken: secret });

/** Reads the secrets of an existing data directory. Creates them on first use, readable by their owner only. */
export function readLocalSecrets(dataDir: string): z.infer<typeof localSecrets> {
  const file = join(dataDir, 'secrets.json');
  if (!existsSync(file)) {
    const secrets = { appKey: createSecret(), redisToken: createSecret() };
    // Renamed, so that an interrupted start leaves no incomplete file.
    writeFileSync(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  try {
    return z.parse(localSecrets, JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const effects = 'new secrets are created, all sessions end, and secret settings must be saved again';
    throw new Error(`${file} is damaged: restore it, or delete it. Then ${effects}`, { cause: error });
  }
}

const createSecret = () => randomBytes(32).toString('base64url');

/** Folders that others can open. */
const othersMode = 0o077;
/** Folders such as `/tmp`, which several users share. */
const stickyBit = 0o1000;

/**
 * Takes the rights of other users away from the data directory: it holds secrets and the database. A folder that
 * belongs to another user, or that users share, stays as it is. @returns whether the rights were changed
 */
export function protectDataDir(dataDir: string): boolean {
  const { mode, uid } = statSync(dataDir);
  if ((mode & othersMode) === 0 || (mode & stickyBit) !== 0 || uid !== process.getuid?.()) return false;
  chmodSync(dataDir, 0o700);
  return true;
}

/** Creates a folder. Not with Node's `recursive`, which never ends below `/proc`. @throws Error naming the variable */
export function makeFolder(folder: string, variable: 'DATA_DIR' | 'STORAGE_DIR'): void {
  if (existsSync(folder)) {
    if (statSync(folder).isDirectory()) return;
    throw new Error(`${folder} is not a folder: set ${variable} to another one`);
  }
  makeFolder(dirname(folder), variable);
  try {
    mkdirSync(folder, { mode: variable === 'DATA_DIR' ? 0o700 : 0o777 });
  } catch (error) {
    const { code } = Object(error);
    // Another process has just created it.
    if (code === 'EEXIST') return;
    const message = `${folder} cannot be created (${code}): set ${variable} to another folder`;
    throw new Error(message, { cause: error });
  }
}

/** A file in the data directory. With it, other processes find the local server. */
interface StackFile {
  pid: number;
  /** The server listens on it before any other step. */
  port: number;
  /** Settings with the addresses of its stores, after they have started. */
  environment: NodeJS.ProcessEnv | undefined;
}

const fileOf = (dataDir: string) => join(dataDir, 'stack.json');

/** A file in the data directory while a backup is restored to it. */
export const restoreMarker = 'restoring.json';

/** Claims a data directory for this process. @throws Error naming the local server that uses it; after a restore that was interrupted */
export async function claimDataDir(dataDir: string, port: number): Promise<void> {
  if (existsSync(join(dataDir, restoreMarker))) {
    throw new Error(`${dataDir} holds a backup that is not restored completely: restore it again`);
  }
  const holder = readStack(dataDir);
  // The process ID of a killed server can belong to another process, which does not listen on the port.
  if (holder && holder.pid !== process.pid && isRunning(holder.pid) && !(await isFree(holder.port))) {
    const server = `http://localhost:${holder.port} (process ${holder.pid})`;
    const advice = 'stop it, or set DATA_DIR to another folder';
    throw new Error(`${dataDir} is in use by the local server at ${server}: ${advice}`);
  }
  rememberStack(dataDir, port);
}

/** Saves this process as the local server of a data directory. @param environment for commands in other processes */
export function rememberStack(dataDir: string, port: number, environment?: NodeJS.ProcessEnv): void {
  const stack: StackFile = { pid: process.pid, port, environment };
  writeFileSync(fileOf(dataDir), JSON.stringify(stack, null, 2), { mode: 0o600 });
}

export function forgetStack(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

/** The environment of the local server that uses a data directory; undefined if none is running. */
export function findStack(dataDir: string): NodeJS.ProcessEnv | undefined {
  const stack = readStack(dataDir);
  // A killed server leaves its file behind.
  return stack && isRunning(stack.pid) ? stack.environment : undefined;
}

/** The port of the local server that uses a data directory; undefined if none is running. */
export function findPort(dataDir: string): number | undefined {
  const stack = readStack(dataDir);
  return stack && isRunning(stack.pid) ? stack.port : undefined;
}

function readStack(dataDir: string): StackFile | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
  } catch {
    // It does not exist, or a server was killed while it wrote.
    return undefined;
  }
}

/** Whether a process of this user runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
