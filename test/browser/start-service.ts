import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from '#cli/local/free-port.ts';
import { root } from '#cli/project.ts';
import { shellEnvironment } from '../support/run-service.ts';

/** The administrator of {@link startService}. */
export const administrator = { account: 'root', password: 'correct horse battery' };

/** Starts the local server with the console, without Jest. @param dataDir its folder for data */
export async function startService(dataDir: string) {
  const port = await findFreePort();
  const env = {
    ...shellEnvironment(),
    ...{ CONSOLE: 'on', PORT: String(port), DATA_DIR: dataDir, THROTTLE_FACTOR: '1000' },
    ...{ ADMIN_ACCOUNT: administrator.account, ADMIN_PASSWORD: administrator.password },
  };
  const child = spawn(process.execPath, ['cli/local/start.ts'], {
    ...{ cwd: root, env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const isReady = new Promise<void>((resolve) => {
    child.stdout.on('data', (text) => /^Ready: /m.test(String(text)) && resolve());
  });
  await Promise.race([
    isReady,
    ended.then(() => {
      throw new Error('the service has ended');
    }),
  ]);
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}
