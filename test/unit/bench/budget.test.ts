import { describe, expect, test } from '@jest/globals';
import {
  type Budget,
  formatBudget,
  measureBundle,
  parseBudget,
  partOf,
} from '../../../cli/package/budgets/budget.ts';
import {
  compareBudgets,
  findRise,
  listMisplaced,
  mergeBudgets,
} from '../../../cli/package/budgets/compare-budgets.ts';

const budget: Budget = {
  bytes: { start: 50_000, all: 100_000 },
  parts: {
    zod: { start: 20_000, all: 20_000 },
    '@smithy/core': { start: 0, all: 50_000 },
    ulid: { start: 900, all: 900 },
    node: { start: 99, all: 99 },
  },
};
const line = '50000/100000 @smithy/core 0/50000 zod 20000/20000 rest 999/999';

function heavier(part: string, by: number): Budget {
  const { start, all } = budget.parts[part] ?? { start: 0, all: 0 };
  return {
    bytes: { start: budget.bytes.start + by, all: budget.bytes.all + by },
    parts: { ...budget.parts, [part]: { start: start + by, all: all + by } },
  };
}

const before = new Map([['a-list', parseBudget(line)]]);

describe('a budget', () => {
  test('is one line, the heaviest part first, small ones together', () => {
    expect(formatBudget(budget)).toBe(line);
  });

  test('is read as it was written', () => {
    expect(formatBudget(parseBudget(line))).toBe(line);
  });
});

describe('what became heavier', () => {
  test('is found by part', () => {
    expect(findRise(parseBudget(line), heavier('zod', 3000), 'start')).toEqual({ part: 'zod', by: 3000 });
  });

  test('may be a part that was not there', () => {
    expect(findRise(parseBudget(line), heavier('parse5', 76_000), 'all')).toEqual({
      part: 'parse5',
      by: 76_000,
    });
  });

  test('is empty if nothing grew', () => {
    expect(findRise(parseBudget(line), budget, 'all')).toBeUndefined();
  });
});

describe('bundles beside their budgets', () => {
  test('are well up to 5 % above', () => {
    expect(compareBudgets(before, new Map([['a-list', heavier('zod', 2500)]]))).toEqual({
      faults: [],
      notes: [],
    });
  });

  test('fail above that, naming function and import', () => {
    expect(compareBudgets(before, new Map([['a-list', heavier('parse5', 2501)]])).faults).toEqual([
      'a-list: 52501 bytes at start, 50000 recorded (+5.0 %), most by parse5: +2501',
    ]);
  });

  test('fail in all too, where the start stays as it was', () => {
    const after = heavier('openai', 6000);
    after.bytes.start = 50_000;

    expect(compareBudgets(before, new Map([['a-list', after]])).faults).toEqual([
      'a-list: 106000 bytes in all, 100000 recorded (+6.0 %), most by openai: +6000',
    ]);
  });

  test('fail if they were never recorded', () => {
    expect(compareBudgets(new Map(), new Map([['a-list', budget]])).faults).toEqual([
      'a-list: 50000 bytes at start, 100000 in all, not recorded: npm run records',
    ]);
  });

  test('are reported if they became lighter or are gone', () => {
    const lighter = { ...budget, bytes: { start: 40_000, all: 99_000 } };

    expect(compareBudgets(before, new Map([['a-list', lighter]]))).toEqual({
      faults: [],
      notes: ['a-list: 40000 bytes at start, 50000 before'],
    });
    expect(compareBudgets(before, new Map()).notes).toEqual(['a-list: was removed']);
  });
});

describe('renewed budgets', () => {
  const isShared = (name: string) => name === 'tools';
  const old = parseBudget(line);
  const known = new Map([
    ['tools', old],
    ['a-list', old],
  ]);
  const renew = (name: string, measured: Budget) =>
    mergeBudgets(known, new Map([[name, measured]]), isShared);

  test('have a new bundle, and those that were not measured', () => {
    const { budgets, grown, refused } = renew('b-list', budget);

    expect([...budgets.keys()]).toEqual(['tools', 'a-list', 'b-list']);
    expect([grown, refused]).toEqual([[], []]);
  });

  test('follow the growth of a bundle with parts of all modules, and name it', () => {
    const after = heavier('modules/Shop', 30_000);
    const { budgets, grown, refused } = renew('tools', after);

    expect(budgets.get('tools')).toBe(after);
    expect(grown).toEqual([
      'tools: 80000 bytes at start, 50000 recorded (+60.0 %), most by modules/Shop: +30000',
      'tools: 130000 bytes in all, 100000 recorded (+30.0 %), most by modules/Shop: +30000',
    ]);
    expect(refused).toEqual([]);
  });

  test('do not follow the growth of another bundle, but name it', () => {
    const { budgets, grown, refused } = renew('a-list', heavier('parse5', 30_000));

    expect(budgets.get('a-list')).toBe(old);
    expect([grown, refused.length]).toEqual([[], 2]);
  });

  test.each(['tools', 'a-list'])('do not creep up by small growths of %s', (name) => {
    const { budgets, grown, refused } = renew(name, heavier('zod', 2000));

    expect(budgets.get(name)).toBe(old);
    expect([grown, refused]).toEqual([[], []]);
  });
});

test.each(['openai', '@modelcontextprotocol/core', '@modelcontextprotocol/server'])(
  '%s belongs into the functions of tools only',
  (part) => {
    const names = ['system-web-mcp-service', 'system-admin-ai-mcp-chat', 'system-admin-file-list'];
    const measured = new Map(names.map((name) => [name, heavier(part, 5000)]));

    expect(listMisplaced(measured)).toEqual([
      `system-admin-file-list: holds ${part}, which is for tools only`,
    ]);
  },
);

test.each([
  ['node_modules/zod/v4/mini/schemas.js', 'zod'],
  ['node_modules/@smithy/core/dist-es/a.js', '@smithy/core'],
  ['node_modules/a/node_modules/@b/c/d.js', '@b/c'],
  ['shared/http/endpoint.ts', 'shared/http'],
  ['modules/System/Admin/file/list.ts', 'modules/System'],
  ['.build/entries/system-admin-file-list.mjs', '.build/entries'],
  ['.build/openapi/en.json', '.build/openapi'],
  ['builtin:crypto?shared/http/etag.ts', 'node'],
  ['builtin-cjs:fs?node_modules/qiniu/index.js', 'node'],
])('%s is of %s', (source, part) => {
  expect(partOf(source)).toBe(part);
});

test('weighs what an entry imports, and what it loads on first use in all only', async () => {
  const file = (
    bytes: number,
    source: string,
    imports: [string, 'import-statement' | 'dynamic-import'][],
  ) => ({
    bytes,
    inputs: { [source]: { bytesInOutput: bytes - 10 } },
    imports: imports.map(([path, kind]) => ({ path, kind })),
    exports: [],
  });
  const outputs = {
    'out/a.mjs': {
      ...file(100, 'shared/http/endpoint.ts', [
        ['out/b.mjs', 'import-statement'],
        ['out/sdk.mjs', 'dynamic-import'],
      ]),
      entryPoint: '.build/entries/a.mjs',
    },
    'out/b.mjs': file(50, 'node_modules/zod/index.js', []),
    'out/sdk.mjs': file(30, 'node_modules/openai/index.js', [['out/b.mjs', 'import-statement']]),
    'out/unused.mjs': file(20, 'node_modules/qiniu/index.js', []),
  };

  expect(measureBundle({ outputs })).toEqual({
    bytes: { start: 150, all: 180 },
    parts: {
      'shared/http': { start: 90, all: 90 },
      zod: { start: 40, all: 40 },
      openai: { start: 0, all: 20 },
    },
  });
});
