import '../support/environment.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { VersionedCache } from '#shared/cache/versioned-cache.ts';
import { discoverShipped, shippedModules } from '../support/shipped-modules.ts';

const root = resolve(__dirname, '../..');

const countCaches = (): number =>
  ['shared', ...shippedModules.map((name) => `modules/${name}`)]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((file) => `${folder}/${file}`)
        .filter((file) => file.endsWith('.ts') && file !== 'shared/cache/versioned-cache.ts'),
    )
    .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/new VersionedCache/g) ?? []).length;

test('every cache of the table mirrors an entity, so that the stream clears it', async () => {
  const { listeners } = await discoverShipped();
  const caches = listeners.flatMap(({ cached = [] }) =>
    cached.flatMap(({ mirrors }) => mirrors.map(({ cache }) => cache)),
  );
  const versioned = new Set(caches.filter((cache) => cache instanceof VersionedCache));

  // `principal.ts` and `profiles.ts` make two each by one function.
  expect(versioned.size).toBe(countCaches() + 2);
});
