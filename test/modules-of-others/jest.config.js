import everything from '../../jest.config.js';

/**
 * The tests that modules of others are most likely to turn red: those of the modules themselves, of what lists the parts
 * of every module, and of every file's form. `npm run test:modules -- --all` runs all quick tests instead.
 *
 * @type {import('jest').Config}
 */
export default {
  ...everything,
  rootDir: '../..',
  testMatch: [
    'modules/*/*.test.ts',
    'test/architecture/*.test.ts',
    'test/unit/{docs,functions}/**/*.test.ts',
    'test/unit/modules/*.test.ts',
    'test/e2e/{api-client,readme,secrets,tools}.test.ts',
  ].map((path) => `<rootDir>/${path}`),
};
