import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** One folder for the temporary files of a whole run, which the teardown removes, and the functions' entries. */
export default function setUp(): void {
  process.env.TEST_TMP = mkdtempSync(join(tmpdir(), 'backend-tests-'));
  execFileSync(process.execPath, ['cli/generate.ts'], { cwd: resolve(__dirname, '..', '..') });
}
