import { jest } from '@jest/globals';
import type * as HttpPool from '#shared/http-client/pool.ts';

/** Longer than any test runs, in milliseconds. */
const timeoutMs = 120_000;

// Imported before what asks stores: an answer waits here until the process has come to rest, and how long that
// takes on a busy machine is no matter of how often a function asks.
const path = '#shared/http-client/pool.ts';
jest.mock(path, () => {
  const actual = jest.requireActual<typeof HttpPool>(path);
  const createPool: typeof actual.createPool = (origin) => {
    const { send, close } = actual.createPool(origin);
    return { send: (message) => send(message, timeoutMs), close };
  };
  return { ...actual, createPool };
});
