import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(__dirname, '../..');

test('functions wait by settleAll: Lambda freezes work that Promise.all leaves behind', () => {
  const users = ['shared', 'modules'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter(
        (file) => file.endsWith('.ts') && readFileSync(join(root, file), 'utf8').includes('Promise.all('),
      ),
  );

  expect(users).toEqual(['shared/async/settle-all.ts']);
});
