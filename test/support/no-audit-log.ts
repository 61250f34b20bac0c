import { jest } from '@jest/globals';

// Imported first by tests without a database: entries of the audit log are not written.

jest.mock('#shared/audit/write-entries.ts', () => ({
  writeAlone: () => Promise.resolve(),
  writeFailure: () => Promise.resolve(),
}));
jest.mock('#shared/audit/retention.ts', () => ({ readRetentionDays: () => Promise.resolve(200) }));
