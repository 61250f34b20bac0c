import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One folder for the temporary files of a whole run, which the teardown removes. */
export default function setUp(): void {
  process.env.TEST_TMP = mkdtempSync(join(tmpdir(), 'backend-tests-'));
}
