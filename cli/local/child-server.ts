import { spawn } from 'node:child_process';
import { waitUntilReady } from './wait-until-ready.ts';

const OUTPUT_TAIL_CHARS = 4_000;

/**
 * Runs the command and ends it when standard input closes. The starter holds the other end of that pipe, so the
 * child ends with it however the starter ends, SIGKILL included, and no engine is left over on the data.
 */
const GUARDED_RUN = `
exec 3<&0
"$@" 3<&- </dev/null &
child=$!
{ read -r line; kill "$child"; } <&3 >/dev/null 2>&1 &
guard=$!
wait "$child"
status=$?
kill "$guard" 2>/dev/null
exit "$status"
`;

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
  /** A header of all its answers, in lower case, so that no server of another kind passes for it on its port. */
  readonly header: string;
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
  const child = spawn('sh', ['-c', GUARDED_RUN, 'sh', options.command, ...options.args], {
    cwd: options.cwd,
    env: options.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const keepTail = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-OUTPUT_TAIL_CHARS);
  };
  child.stdout.on('data', keepTail);
  child.stderr.on('data', keepTail);

  const exited = new Promise<ChildExit>((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, output: error.message }));
    child.once('close', (code, signal) => resolve({ code, signal, output: output.trim() }));
  });

  const stop = async () => {
    child.stdin.end();
    const killer = setTimeout(() => killGroup(child.pid), options.stopTimeoutMs ?? 5_000);
    await exited;
    clearTimeout(killer);
  };

  try {
    await waitUntilReady(options.endpoint, options.readyTimeoutMs, exited, options.header);
  } catch (error) {
    await stop();
    const reason = error instanceof Error ? error.message : error;
    throw new Error(`${options.command} ${reason}`, { cause: error });
  }
  return { endpoint: options.endpoint, exited, stop };
}

function killGroup(pid: number | undefined): void {
  // Without a process there is nothing to kill, and 0 would mean the starter's own group.
  if (pid) process.kill(-pid, 'SIGKILL');
}
