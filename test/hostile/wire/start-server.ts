import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '#cli/local/free-port.ts';
import { root } from '#cli/project.ts';
import { shellEnvironment } from '../../support/run-service.ts';
import type { Target } from './wire-world.ts';

/** No other code knows the password, so no request changes it. */
export const administrator = { account: 'root', password: 'a password of its own' };

/** Starts the local server in a process of its own, with data of its own; for runs without a test runner. */
export async function startServer(): Promise<Target & { stop(): Promise<void> }> {
  const [port, dataDir] = [await findFreePort(), await mkdtemp(join(tmpdir(), 'hostile-'))];
  const child = spawn(process.execPath, [join('cli', 'local', 'start.ts')], {
    cwd: root,
    env: {
      ...shellEnvironment(),
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_ACCOUNT: administrator.account,
      ADMIN_PASSWORD: administrator.password,
      THROTTLE_FACTOR: '1000000',
      ALLOW_PRIVATE_ENDPOINTS: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.startsWith('Ready: ') && resolve());
    child.once('close', () => reject(new Error('the local server did not start')));
  });
  return {
    port,
    dataDir,
    administrator,
    async stop() {
      const closed = once(child, 'close');
      child.kill('SIGINT');
      await closed;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
