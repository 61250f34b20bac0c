import { rmSync } from 'node:fs';

export default function tearDown(): void {
  const { TEST_TMP, SYSTEM_TMP } = process.env;
  if (!TEST_TMP) return;
  rmSync(TEST_TMP, { recursive: true, force: true });
  // The next run of this process, where files are watched, makes a folder of its own.
  process.env.TMPDIR = SYSTEM_TMP;
}
