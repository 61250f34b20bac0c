import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const { MUTANTS_RESULTS, MUTANTS_LOG, MUTANTS_COLLECT } = process.env;
const write = (line) => appendFileSync(MUTANTS_RESULTS, `${JSON.stringify(line)}\n`);

/** A reporter of Jest: writes a line for each test file. Ends the run after a failure, unless it collects coverage. */
export default class MutantReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunStart() {
    write({ folder: process.env.TEST_TMP });
  }

  async onTestFileStart() {
    rmSync(MUTANTS_LOG, { force: true });
    // Servers notice it.
    if (MUTANTS_COLLECT) await setTimeout(200);
  }

  onTestFileResult({ path }, { numFailingTests, testExecError, failureMessage, perfStats: { start, end } }) {
    const failed = numFailingTests > 0 || Boolean(testExecError);
    const blocks = existsSync(MUTANTS_LOG) ? readFileSync(MUTANTS_LOG, 'utf8').trim().split('\n') : [];
    const reason = failureMessage?.slice(0, 1000);
    const file = relative(this.rootDir, path);
    write({ file, failed, ms: end - start, blocks: [...new Set(blocks)], reason });
    if (failed && !MUTANTS_COLLECT) process.exit(1);
  }
}
