import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** One folder for the temporary files of a whole run, which the teardown removes, and the functions' entries. */
export default function setUp(): void {
  const folder = mkdtempSync(join(tmpdir(), 'backend-tests-'));
  process.env.TEST_TMP = folder;
  // The servers and commands of the run read their sources from there too.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compile-cache') };
  execFileSync(process.execPath, ['cli/generate.ts'], { cwd: resolve(__dirname, '..', '..'), env });
}
