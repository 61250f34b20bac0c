import { rmSync } from 'node:fs';

export default function tearDown(): void {
  if (process.env.TEST_TMP) rmSync(process.env.TEST_TMP, { recursive: true, force: true });
}
