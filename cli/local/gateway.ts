import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** How long the gateway may take to begin to answer, and to end. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 5_000;

export interface GatewayOptions {
  root: string;
  port: number;
  /** Where its functions can be invoked past their routes. */
  lambdaPort: number;
  /** Environment of the functions. */
  environment: NodeJS.ProcessEnv;
  /** Told when the gateway ends by itself. */
  onExit(code: number | null): void;
}

/** serverless-offline in a process of its own, serving the generated functions. */
export interface Gateway {
  /** Lets the next request of every function see the sources as they are now. */
  reload(): void;
  /** Starts again, with the functions that are there now. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the gateway and waits until it answers. @throws Error with what it printed when it does not start */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  let child = await launch(options);
  return {
    reload: () => {
      if (!child.connected) throw new Error('the gateway is not running');
      child.send('reload');
    },
    restart: async () => {
      await end(child);
      child = await launch(options);
    },
    stop: () => end(child),
  };
}

async function launch({
  root,
  port,
  lambdaPort,
  environment,
  onExit,
}: GatewayOptions): Promise<ChildProcess> {
  const cli = createRequire(join(root, 'package.json')).resolve('serverless/bin/serverless.js');
  const preload = join(root, 'cli', 'local', 'preload.ts');
  const child = spawn(process.execPath, ['--import', preload, cli, 'offline', 'start', '--stage', 'local'], {
    cwd: root,
    env: { ...environment, PORT: String(port), LAMBDA_PORT: String(lambdaPort) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A group of its own: Ctrl-C reaches only its starter, which ends everything in order.
    detached: true,
  });
  const printed: string[] = [];
  let isReady = false;
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      if (!isReady) printed.push(line);
      else if (!isNoise(line)) console.log(line);
    });
  }
  child.on('exit', (code) => {
    if (isReady && !stopping.has(child)) onExit(code);
  });
  if (!(await answers(child, port))) {
    await end(child);
    throw new Error(`the gateway did not start:\n${printed.join('\n')}`);
  }
  isReady = true;
  return child;
}

/** What serverless-offline prints around each request, beside the functions' own log. */
function isNoise(line: string): boolean {
  return line.trim() === '' || /\(λ: [\w-]+\)/.test(line);
}

async function answers(child: ChildProcess, port: number): Promise<boolean> {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline && child.exitCode === null) {
    try {
      await fetch(`http://127.0.0.1:${port}/health`);
      return true;
    } catch {
      // Not listening yet.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return false;
}

const stopping = new WeakSet<ChildProcess>();

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  stopping.add(child);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await ended;
  clearTimeout(timer);
}
