import { jest } from '@jest/globals';

// Imported before everything else by a test file whose engine is slow: a type is then full at a tenth of its
// items, which is several transactions still; the other engine fills a whole one. It lies in a file of its own
// because imports run in order, and a mock must come before what it mocks.
jest.mock('#shared/dict/schema.ts', () => ({
  ...jest.requireActual<object>('#shared/dict/schema.ts'),
  maxItemsPerType: 1_000,
}));
