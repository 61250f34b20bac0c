import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const outputTailChars = 4_000;
const pollMs = 20;

/**
 * Runs the command and stops it if standard input closes. The parent process holds the other end of that pipe, so the
 * child ends with it, even after SIGKILL.
 */
const guardedRun = `
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

export type ChildServer = Awaited<ReturnType<typeof startChildServer>>;

interface ChildServerOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  environment: NodeJS.ProcessEnv;
  endpoint: string;
  /** A header of all its answers. Without it, another server answers on this port. */
  header: string;
  readyTimeoutMs: number;
  /** Longest wait between SIGTERM and SIGKILL. @default 5000 */
  stopTimeoutMs?: number;
}

/** Starts a server as a child process. @throws Error if it does not answer HTTP in time, or ends: with its output */
export async function startChildServer(options: ChildServerOptions) {
  // Detached, so that Ctrl-C in a terminal reaches only this process, which stops the others in order.
  const child = spawn('sh', ['-c', guardedRun, 'sh', options.command, ...options.args], {
    cwd: options.cwd,
    env: options.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-outputTailChars);
    });
  }
  /** Settles once the process has ended. `output` is the end of what it printed, at most 4,000 characters. */
  const exited = new Promise<{ code: number | null; signal: string | null; output: string }>((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, output: error.message }));
    child.once('close', (code, signal) => resolve({ code, signal, output: output.trim() }));
  });

  /** Stops the process with SIGTERM, then with SIGKILL if necessary. Safe to call twice. */
  const stop = async () => {
    child.stdin.end();
    // 0 would be the group of this process.
    const kill = () => child.pid && process.kill(-child.pid, 'SIGKILL');
    const killer = setTimeout(kill, options.stopTimeoutMs ?? 5_000);
    await exited;
    clearTimeout(killer);
  };

  try {
    await waitUntilReady(options, exited);
  } catch (error) {
    await stop();
    throw new Error(`${options.command} ${Object(error).message}`, { cause: error });
  }
  return { endpoint: options.endpoint, exited, stop };
}

async function waitUntilReady(
  { endpoint, header, readyTimeoutMs }: ChildServerOptions,
  exited: Promise<{ output: string }>,
): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  while (!(await isAnswering(endpoint, header))) {
    const ended = await Promise.race([exited, delay(pollMs)]);
    if (ended) throw new Error(`ended before it was ready: ${ended.output}`);
    if (Date.now() > deadline) throw new Error(`was not ready within ${readyTimeoutMs} ms`);
  }
}

/** Any status counts: an engine may answer 400 to a request without an operation. */
const isAnswering = (endpoint: string, header: string): Promise<boolean> =>
  fetch(endpoint, { headers: { connection: 'close' }, signal: AbortSignal.timeout(1_000) }).then(
    ({ headers }) => headers.has(header),
    () => false,
  );
