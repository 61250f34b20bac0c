import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readBudgetFile, writeBudgetFile } from '../../../cli/package/budgets/budget-file.ts';
import { root } from '../../../cli/project.ts';
import { createTempDir } from '../../support/local-server.ts';

test('writes the recorded budgets as Biome leaves them', () => {
  const folder = createTempDir();
  mkdirSync(join(folder, 'bench'));
  writeBudgetFile(folder, readBudgetFile(root));

  const [written, recorded] = [folder, root].map((each) =>
    readFileSync(join(each, 'bench/budgets.json'), 'utf8'),
  );
  expect(written === recorded).toBe(true);
});
