import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll } from '@jest/globals';
import { findFreePort } from '#cli/local/free-port.ts';
import { administrator } from './administrator.ts';
import { checkAnswersOf } from './check-answers.ts';
import { shellEnvironment } from './run-service.ts';

const running = new Set<ChildProcess>();
// A test that fails or times out leaves its server running.
afterAll(() => Promise.all([...running].map((child) => stop(child, 'SIGINT'))));

export const projectRoot = resolve(__dirname, '..', '..');

/** A local server that runs. */
export interface RunningServer {
  url: string;
  dataDir: string;
}

/** The local server, in processes of its own. */
export interface LocalServer extends RunningServer {
  /** Everything it has printed. */
  printed(): string;
  /** Waits until it has printed something that matches. */
  prints(pattern: RegExp): Promise<string>;
  /** Ends it as Ctrl-C does, and waits until everything it started has ended too. */
  stop(): Promise<void>;
  /** Ends all its processes at once, as a power cut does. */
  kill(): Promise<void>;
  /** Ends the process that was started, which may be npm, and waits until all that it started has ended too. */
  endStarter(): Promise<void>;
}

export interface LocalServerOptions {
  /** Folder of the project. @default this one */
  root?: string;
  /** @default a new temporary one */
  dataDir?: string;
  environment?: NodeJS.ProcessEnv;
  /** Whether it is started as a user does, by `npm start`, passwords hashed at their real cost. @default false */
  byNpm?: boolean;
}

/**
 * Starts the local server on a free port and waits until it is ready. Every answer that a test gets of it by
 * `fetch` is checked against its OpenAPI document.
 */
export async function startLocalServer(options: LocalServerOptions = {}): Promise<LocalServer> {
  const { root = projectRoot, dataDir = createTempDir(), environment = {}, byNpm = false } = options;
  const port = await findFreePort();
  const settings = { ...createSettings(port, dataDir), ...environment };
  const child = byNpm ? runNpmStart(root, settings) : runStart(root, settings);
  running.add(child);
  child.once('close', () => running.delete(child));
  const output = collect(child);
  const server: LocalServer = {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    printed: output.text,
    prints: output.until,
    stop: () => stop(child, 'SIGINT'),
    kill: () => stop(child, 'SIGKILL'),
    endStarter: async () => {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
  await server.prints(/^Ready: /m);
  checkAnswersOf(server.url);
  return server;
}

const createSettings = (port: number, dataDir: string): NodeJS.ProcessEnv => ({
  PORT: String(port),
  DATA_DIR: dataDir,
  ADMIN_ACCOUNT: administrator.account,
  ADMIN_PASSWORD: administrator.password,
  // Tests send more requests than people do; tests of throttles set their own factor.
  THROTTLE_FACTOR: '1000',
});

/**
 * The server that test files share, one after another in each process of Jest; it ends with the run. For tests that
 * change nothing that others see: they save no settings, and their users, dictionaries and files are their own.
 */
export async function shareLocalServer(): Promise<RunningServer> {
  const file = join(tmpdir(), `shared-server-${process.env.JEST_WORKER_ID}.json`);
  if (!existsSync(file)) {
    const [log, dataDir, port] = [`${file}.log`, createTempDir(), await findFreePort()];
    const printed = openSync(log, 'a');
    const child = runStart(projectRoot, createSettings(port, dataDir), ['ignore', printed, printed]);
    child.unref();
    while (!/^Ready: /m.test(readFileSync(log, 'utf8'))) {
      if (child.exitCode !== null) throw new Error(readFileSync(log, 'utf8'));
      await setTimeout(20);
    }
    closeSync(printed);
    writeFileSync(file, JSON.stringify({ pid: child.pid, url: `http://127.0.0.1:${port}`, dataDir }));
  }
  const { url, dataDir } = JSON.parse(readFileSync(file, 'utf8'));
  checkAnswersOf(url);
  return { url, dataDir };
}

/** Runs a start to its end; for starts that fail. */
export async function runToEnd(environment: NodeJS.ProcessEnv): Promise<{ code: number; printed: string }> {
  const child = runStart(projectRoot, environment);
  const output = collect(child);
  const [code] = await once(child, 'close');
  return { code, printed: output.text() };
}

/** A temporary folder that is removed when the run ends. */
export const createTempDir = () => mkdtempSync(join(tmpdir(), 'folder-'));

const runNpmStart = (root: string, settings: NodeJS.ProcessEnv): ChildProcess =>
  run('npm', ['start', '--silent'], root, settings);

/** Runs what `npm start` runs, without npm and without slow parts. */
const runStart = (root: string, settings: NodeJS.ProcessEnv, stdio?: StdioOptions): ChildProcess =>
  run(
    process.execPath,
    ['cli/local/start.ts'],
    root,
    { NODE_OPTIONS: `--import ${quickStart}`, TEST_RUN: process.env.TEST_RUN, ...settings },
    stdio,
  );

const quickStart = pathToFileURL(join(__dirname, 'quick-start.ts')).href;

function run(
  command: string,
  args: string[],
  root: string,
  environment: NodeJS.ProcessEnv,
  stdio: StdioOptions = ['ignore', 'pipe', 'pipe'],
): ChildProcess {
  // Its own settings are not the server's.
  return spawn(command, args, {
    cwd: root,
    env: { ...shellEnvironment(), ...environment },
    stdio,
    // A group of its own, so that a signal reaches all of it, npm too, as a terminal's does.
    detached: true,
  });
}

function collect(child: ChildProcess) {
  let text = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      text += `${line}\n`;
      for (const listener of listeners) listener();
    });
  }
  let hasEnded = false;
  child.on('close', () => {
    hasEnded = true;
    for (const listener of listeners) listener();
  });
  return {
    text: () => text,
    until: (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          if (pattern.test(text)) resolve(text);
          else if (hasEnded) reject(new Error(`ended before it printed ${pattern}:\n${text}`));
          else return;
          listeners.delete(look);
        };
        listeners.add(look);
        look();
      }),
  };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'close');
  process.kill(-child.pid, signal);
  await ended;
}
