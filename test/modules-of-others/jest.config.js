import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import quick from '../../jest.quick.config.js';

const rootDir = resolve(import.meta.dirname, '..', '..');

/** Helpers that copy the project with its own modules only. */
const copies = /\/(?:project-copy|made-products|many-modules|module-fixture)\.ts'/;
/** What a suite reads that lists parts of every module, or starts as a user does. */
const lists = /discover|openapi\.json|permission\/list|tools\/list|permissions\.txt|byNpm|README/;

/** Suites of a server that modules of others cannot turn red: they name what they ask for, or run in such copies. */
const apart = globSync('test/e2e/*.test.ts', { cwd: rootDir }).filter((suite) => {
  const source = readFileSync(join(rootDir, suite), 'utf8');
  return copies.test(source) || !lists.test(source);
});

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
    ...apart.map((suite) => `<rootDir>/${suite}`),
  ],
};
