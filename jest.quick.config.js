import everything from './jest.config.js';
import { slow } from './test/suites.js';

/** The tests of `npm test`. @type {import('jest').Config} */
export default {
  ...everything,
  testPathIgnorePatterns: ['/node_modules/', ...slow.map((path) => `<rootDir>/test/${path}`)],
};
