import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { type Budget, formatBudget, measureBundle, parseBudget } from '../../cli/package/budgets/budget.ts';
import { compareBudgets } from '../../cli/package/budgets/compare-budgets.ts';
import { bundleFunction } from '../support/bundle-function.ts';
import { copyProject, type ProjectCopy } from '../support/project-copy.ts';

const name = 'system-admin-file-rename';
const file = 'modules/System/Admin/file/rename.ts';

let copy: ProjectCopy;
let source: string;
let recorded: Budget;

async function measure(): Promise<Budget> {
  return measureBundle(await bundleFunction(copy.root, name));
}

/** The result of the check for a function with this route. */
async function faultsOf(text: string): Promise<string[]> {
  copy.write(file, text);
  return compareBudgets(new Map([[name, recorded]]), new Map([[name, await measure()]])).faults;
}

beforeAll(async () => {
  copy = copyProject();
  execFileSync(process.execPath, ['cli/generate.ts'], { cwd: copy.root });
  source = readFileSync(join(copy.root, file), 'utf8');
  recorded = parseBudget(formatBudget(await measure()));
}, 120_000);

test('an unchanged route keeps its budget', async () => {
  expect(await faultsOf(source)).toEqual([]);
});

test('names a newly imported package and its size', async () => {
  const faults = await faultsOf(`import { parseFragment } from 'parse5';\n${source}\nparseFragment('');`);

  expect(faults).toEqual([
    expect.stringMatching(new RegExp(`^${name}: \\d+ bytes at start, .*, most by parse5: \\+\\d{5,}$`)),
    expect.stringMatching(new RegExp(`^${name}: \\d+ bytes in all, .*, most by parse5: \\+\\d{5,}$`)),
  ]);
});

test('code that loads on first use counts in the total only', async () => {
  const faults = await faultsOf(`${source}\nObject.assign(globalThis, { late: () => import('openai') });`);

  expect(faults).toEqual([expect.stringMatching(/ bytes in all, .*, most by openai: \+\d{5,}$/)]);
});

test('unused chunks do not count, because packages do not hold them', async () => {
  expect(await faultsOf(`${source}\nexport const never = () => import('openai');`)).toEqual([]);
});
