import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export default async function tearDown(): Promise<void> {
  const { TEST_TMP, SYSTEM_TMP } = process.env;
  if (!TEST_TMP) return;
  await Promise.all(listSharedServers(TEST_TMP).map(stop));
  rmSync(TEST_TMP, { recursive: true, force: true });
  // In watch mode, the next run of this process creates its own folder.
  process.env.TMPDIR = SYSTEM_TMP;
}

/** Process IDs of the servers that test files have shared. */
const listSharedServers = (folder: string): number[] =>
  readdirSync(folder)
    .filter((file) => /^shared-server-\d+\.json$/.test(file))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).pid);

/** As Ctrl-C does. Waits until the server and all that it has started has ended. */
async function stop(pid: number): Promise<void> {
  try {
    process.kill(-pid, 'SIGINT');
    for (;;) {
      process.kill(pid, 0);
      await setTimeout(20);
    }
  } catch {
    // It has ended.
  }
}
