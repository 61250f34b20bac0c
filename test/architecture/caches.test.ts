import '../support/environment.ts';
import { expect, jest, test } from '@jest/globals';
import type { VersionedCache } from '#shared/cache/versioned-cache.ts';
import { discoverShipped } from '../support/shipped-modules.ts';

/** Every cache that a file makes when it is loaded. */
const mockMade = new Set<unknown>();
jest.mock('#shared/cache/versioned-cache.ts', () => {
  const actual = jest.requireActual<{ VersionedCache: typeof VersionedCache }>(
    '#shared/cache/versioned-cache.ts',
  );
  class Counted<Value> extends actual.VersionedCache<Value> {
    constructor(...given: ConstructorParameters<typeof VersionedCache<Value>>) {
      super(...given);
      mockMade.add(this);
    }
  }
  return { ...actual, VersionedCache: Counted };
});

test('every cache of the table mirrors an entity, so that the stream clears it', async () => {
  const { listeners } = await discoverShipped();
  const mirrored = new Set<unknown>(
    listeners.flatMap(({ cached = [] }) =>
      cached.flatMap(({ mirrors }) => mirrors.map(({ cache }) => cache)),
    ),
  );

  expect(mockMade.size).toBeGreaterThan(3);
  expect([...mockMade].filter((cache) => !mirrored.has(cache))).toEqual([]);
});
