import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '../../cli/local/free-port.ts';
import { root } from '../../cli/project.ts';

export interface Credentials {
  account: string;
  password: string;
}

/** A local server of a run's own, which nothing else uses. */
export interface LoadServer {
  url: string;
  credentials: Credentials;
  /** Lines of level `error` that it has logged. */
  errors: string[];
  stop(): Promise<void>;
}

/** Starts what `npm start` starts, on a free port, with data of its own and no throttle in the way. */
export async function startLoadServer(): Promise<LoadServer> {
  const folder = mkdtempSync(join(tmpdir(), 'load-'));
  const credentials = { account: 'root', password: 'correct horse battery' };
  const port = await findFreePort();
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join('cli', 'local', 'start.ts')], {
    cwd: root,
    env: {
      PATH,
      HOME,
      PORT: String(port),
      DATA_DIR: folder,
      ADMIN_ACCOUNT: credentials.account,
      ADMIN_PASSWORD: credentials.password,
      THROTTLE_FACTOR: '1000000',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  const printed: string[] = [];
  const ended = once(child, 'close');
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        if (line.includes('"level":"error"')) errors.push(line);
        else if (printed.length < 100) printed.push(line);
        if (line.startsWith('Ready: ')) resolve();
      });
    }
    ended.then(() => reject(new Error(`the server ended:\n${printed.join('\n')}`)));
  });
  await ready;
  return {
    url: `http://127.0.0.1:${port}`,
    credentials,
    errors,
    async stop() {
      child.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
