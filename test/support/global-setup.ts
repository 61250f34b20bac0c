import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createWorkFolder } from '../../bench/work-folder.ts';

/**
 * One folder for the temporary files of a whole run, which the teardown removes, and the functions' entries. What
 * asks the system for its temporary folder gets that one.
 */
export default function setUp(): void {
  const folder = createWorkFolder('backend-tests-');
  // A test has a copy of the environment, so the service cannot set the time zone there.
  const TZ = 'Asia/Shanghai';
  const TEST_RUN = String(process.pid);
  Object.assign(process.env, { SYSTEM_TMP: tmpdir(), TEST_TMP: folder, TMPDIR: folder, TZ, TEST_RUN });
  // The servers and commands of the run read their sources from there too.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compile-cache') };
  execFileSync(process.execPath, ['cli/generate.ts'], { cwd: resolve(__dirname, '..', '..'), env });
}
