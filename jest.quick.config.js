import everything from './jest.config.js';

/** What `npm test` leaves to `npm run test:all`. */
const slow = [
  'browser/',
  'bundle/',
  'contract/database/dynamodb-local.test.ts',
  'fault/',
  'growth/',
  'hostile/',
  'mcp/',
  'round-trips/',
];

/** @type {import('jest').Config} */
export default {
  ...everything,
  testPathIgnorePatterns: ['/node_modules/', ...slow.map((path) => `<rootDir>/test/${path}`)],
};
