import { jest } from '@jest/globals';
import type * as Transport from '#shared/cache/transport.ts';
import type * as Sdk from '#shared/db/sdk.ts';

/** Longer than any test runs, in milliseconds. */
const timeoutMs = 120_000;

// Imported before the clients of the stores. An answer waits until the process is idle, and how long that takes on a busy
// machine says nothing about the number of requests.
jest.mock('#shared/cache/transport.ts', () => {
  const actual = jest.requireActual<typeof Transport>('#shared/cache/transport.ts');
  const createTransport: typeof actual.createTransport = (options) =>
    actual.createTransport({ ...options, timeoutMs });
  return { ...actual, createTransport };
});
jest.mock('#shared/db/sdk.ts', () => {
  const actual = jest.requireActual<typeof Sdk>('#shared/db/sdk.ts');
  const createDocumentClient: typeof actual.createDocumentClient = (options) =>
    actual.createDocumentClient({ ...options, timeoutMs });
  return { ...actual, createDocumentClient };
});
