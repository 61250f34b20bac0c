import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readLocalSecrets } from '#cli/local/data-directory.ts';
import { createTempDir } from '../../../support/local-server.ts';

test('secrets are created once', () => {
  const dataDir = createTempDir();

  expect(readLocalSecrets(dataDir)).toEqual(readLocalSecrets(dataDir));
});

test.each(['', '{"appKey": "x', '{}', 'null', '{"appKey":"short","redisToken":"short"}'])(
  'a damaged secrets.json is named and kept: %j',
  (text) => {
    const dataDir = createTempDir();
    const file = join(dataDir, 'secrets.json');
    writeFileSync(file, text);

    expect(() => readLocalSecrets(dataDir)).toThrow(
      /^\S+secrets\.json is damaged: restore it, or delete it\. /,
    );
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);
