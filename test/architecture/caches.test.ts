import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(__dirname, '../..');

/** Sources that cache table data, and how other changes clear the cache. */
const cleared = {
  'shared/auth/api-token.ts': 'rule',
  'shared/auth/principal.ts': 'rule',
  'shared/auth/session.ts': 'rule',
  'shared/dict/cache.ts': 'rule',
  'shared/settings/site-status.ts': 'the group `basics` invalidates it',
  'shared/settings/store.ts': 'rule',
};

function listCaches(): string[] {
  return ['shared', 'modules'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => file.endsWith('.ts') && file !== 'shared/cache/versioned-cache.ts')
      .filter((file) => readFileSync(join(root, file), 'utf8').includes('new VersionedCache')),
  );
}

test('every cache is cleared by the stream: a new cache needs a rule in shared/stream and a line here', () => {
  expect(listCaches().sort()).toEqual(Object.keys(cleared));
});

test("the stream's rules cover every listed cache", () => {
  const rules = readFileSync(join(root, 'shared/stream/clear-caches.ts'), 'utf8');
  const reached = Object.entries(cleared).filter(([, how]) => how === 'rule');

  expect(reached.filter(([file]) => !rules.includes(`'#${file}'`))).toEqual([]);
});
