import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import quick from '../../jest.quick.config.js';

const rootDir = resolve(import.meta.dirname, '..', '..');

/** Helpers that copy the project with its own modules only. */
const copies = /\/(?:project-copy|made-products|many-modules|module-fixture)\.ts'/;

/** Suites of such copies, which are the same with and without the modules of others. */
const inCopies = globSync('test/e2e/*.test.ts', { cwd: rootDir }).filter((suite) =>
  copies.test(readFileSync(join(rootDir, suite), 'utf8')),
);

/**
 * The quick tests whose result may depend on the modules that exist: `shared`, and the doubles of the contracts, know no
 * module.
 *
 * @type {import('jest').Config}
 */
export default {
  ...quick,
  rootDir,
  testPathIgnorePatterns: [
    ...quick.testPathIgnorePatterns,
    ...['contract/', 'unit/shared/', 'unit/console/', 'unit/ci/'].map((path) => `<rootDir>/test/${path}`),
    ...inCopies.map((suite) => `<rootDir>/${suite}`),
  ],
};
