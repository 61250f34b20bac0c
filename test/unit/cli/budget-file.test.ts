import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readBudgetFile, writeBudgetFile } from '../../../cli/package/budgets/budget-file.ts';
import { root } from '../../../cli/project.ts';

test('writes the recorded budgets as Biome leaves them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'budgets-'));
  try {
    mkdirSync(join(folder, 'bench'));
    writeBudgetFile(folder, readBudgetFile(root));

    const [written, recorded] = [folder, root].map((each) =>
      readFileSync(join(each, 'bench/budgets.json'), 'utf8'),
    );
    expect(written === recorded).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
