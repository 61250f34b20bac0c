import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(__dirname, '../..');

/**
 * Sources that cache table data, and where the mirror is that other changes clear. Profiles have the prefix of their
 * principals; the listener of System adds their mirrors.
 */
const mirroredIn = {
  'shared/auth/api-token.ts': 'shared/auth/api-token.ts',
  'shared/auth/principal.ts': 'shared/auth/principal.ts',
  'shared/auth/profiles.ts': 'shared/auth/principal.ts',
  'shared/auth/session.ts': 'shared/auth/session.ts',
  'shared/dict/cache.ts': 'shared/dict/types.ts',
  'shared/settings/site-status.ts': 'shared/settings/store.ts',
  'shared/settings/store.ts': 'shared/settings/store.ts',
};

function listCaches(): string[] {
  return ['shared', 'modules'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => file.endsWith('.ts') && file !== 'shared/cache/versioned-cache.ts')
      .filter((file) => readFileSync(join(root, file), 'utf8').includes('new VersionedCache')),
  );
}

test('every cache is cleared by the stream: a new cache needs a mirror, and a line here', () => {
  expect(listCaches().sort()).toEqual(Object.keys(mirroredIn));
});

test('the stream clears every mirror', () => {
  const stream = readFileSync(join(root, 'shared/stream/clear-caches.ts'), 'utf8');

  expect(Object.values(mirroredIn).filter((file) => !stream.includes(`'#${file}'`))).toEqual([]);
});
