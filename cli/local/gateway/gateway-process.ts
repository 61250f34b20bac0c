import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { compileCache } from '../compile-cache.ts';

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
  onExit(): void;
}

/** One run of the gateway. */
export interface GatewayProcess {
  /** Gives it its functions and waits until it listens. @throws Error with what it printed when it does not */
  serve(functions: string): Promise<void>;
  /** @throws Error when it does not run */
  reload(): void;
  end(): Promise<void>;
}

/** Starts serverless-offline in a process of its own, which waits for its functions. */
export function launchGateway(options: GatewayOptions): GatewayProcess {
  const child = spawnGateway(options);
  const printed: string[] = [];
  let isReady = false;
  let isEnding = false;
  followLines(child, (line) => {
    if (isReady) console.log(line);
    else printed.push(line);
  });
  const exited = once(child, 'close').then(() => ({ output: printed.join('\n') }));
  void exited.then(() => isReady && !isEnding && options.onExit());
  // The one thing that it tells.
  const ready = once(child, 'message');
  const endsEarly = async () => {
    throw new Error(`ended before it was ready: ${(await exited).output}`);
  };
  const runsOut = async () => {
    await delay(startTimeoutMs, undefined, { ref: false });
    throw new Error(`was not ready within ${startTimeoutMs} ms`);
  };
  const send = (message: object) => {
    if (!child.connected) throw new Error('the gateway is not running');
    child.send(message);
  };
  const end = async () => {
    isEnding = true;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await exited;
    clearTimeout(timer);
  };
  const serve = async (functions: string) => {
    try {
      // One that has ended already tells why below.
      if (child.connected) send({ functions: JSON.parse(functions) });
      await Promise.race([ready, endsEarly(), runsOut()]);
    } catch (error) {
      await end();
      throw new Error(`the gateway ${error instanceof Error ? error.message : error}`, { cause: error });
    }
    isReady = true;
  };
  return { serve, end, reload: () => send({ reload: true }) };
}

function spawnGateway({ root, port, lambdaPort, environment }: GatewayOptions): ChildProcess {
  return spawn(process.execPath, [join(root, 'cli', 'local', 'gateway', 'main.ts')], {
    cwd: root,
    env: {
      ...environment,
      PORT: String(port),
      LAMBDA_PORT: String(lambdaPort),
      NODE_COMPILE_CACHE: compileCache,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A group of its own: Ctrl-C reaches only its starter, which ends everything in order.
    detached: true,
  });
}

function followLines(child: ChildProcess, take: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', take);
  }
}
