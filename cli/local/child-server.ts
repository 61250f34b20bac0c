import { spawn } from 'node:child_process';
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_INTERVAL_MS = 20;
const OUTPUT_TAIL_CHARS = 4_000;

/** How a child process ended. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what it printed, at most 4,000 characters. */
  readonly output: string;
}

/** A server that runs as a child process. */
export interface ChildServer {
  readonly endpoint: string;
  /** Settles once, when the process has ended for whatever reason. */
  readonly exited: Promise<ChildExit>;
  /** Ends the process: SIGTERM, then SIGKILL when it has not ended in time. Safe to call twice. */
  stop(): Promise<void>;
}

/** What to run and where it will answer. */
export interface ChildServerOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Working directory, so that nothing is written outside the data directory. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly endpoint: string;
  /** Longest wait for the first answer, in milliseconds. */
  readonly readyTimeoutMs: number;
  /** Longest wait between SIGTERM and SIGKILL, in milliseconds; default 5,000. */
  readonly stopTimeoutMs?: number;
}

/**
 * Starts a server as a child process and waits until it answers HTTP.
 *
 * @returns The running server.
 * @throws Error when it ends before it answers (with what it printed) or does not answer in time.
 */
export async function startChildServer(options: ChildServerOptions): Promise<ChildServer> {
  // An own process group: Ctrl+C in a terminal reaches the starter alone, which then stops things in order.
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const keepTail = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-OUTPUT_TAIL_CHARS);
  };
  child.stdout.on('data', keepTail);
  child.stderr.on('data', keepTail);

  const killNow = () => child.kill('SIGKILL');
  process.once('exit', killNow);
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      if (child.pid === undefined) resolve({ code: null, signal: null, output });
    });
    child.once('close', (code, signal) => resolve({ code, signal, output: output.trim() }));
  }).finally(() => process.off('exit', killNow));

  const stop = async () => {
    child.kill('SIGTERM');
    const killer = setTimeout(killNow, options.stopTimeoutMs ?? 5_000);
    await exited;
    clearTimeout(killer);
  };

  try {
    await waitUntilReady(options, exited);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint: options.endpoint, exited, stop };
}

async function waitUntilReady(options: ChildServerOptions, exited: Promise<ChildExit>): Promise<void> {
  let ended: ChildExit | undefined;
  void exited.then((exit) => {
    ended = exit;
  });
  const deadline = Date.now() + options.readyTimeoutMs;
  while (!(await isAnswering(options.endpoint))) {
    if (ended) throw new Error(`${options.command} ended before it was ready: ${ended.output}`);
    if (Date.now() > deadline) {
      throw new Error(`${options.command} was not ready within ${options.readyTimeoutMs} ms`);
    }
    await delay(POLL_INTERVAL_MS);
  }
}

/** Any answer counts, whatever its status: the engines answer 400 to a request without an operation. */
function isAnswering(endpoint: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(endpoint, { agent: false, timeout: 1_000 }, (response) => {
      response.resume();
      resolve(true);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
}
