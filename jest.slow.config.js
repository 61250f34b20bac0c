import everything from './jest.config.js';
import { nightly, slow } from './test/suites.js';

const inTest = (path) => `<rootDir>/test/${path}`;

/** The tests of `npm run test:slow`. @type {import('jest').Config} */
export default {
  ...everything,
  testMatch: slow.map((path) => inTest(path.endsWith('/') ? `${path}**/*.test.ts` : path)),
  testPathIgnorePatterns: ['/node_modules/', ...nightly.map(inTest)],
};
