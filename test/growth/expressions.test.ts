import '../support/environment.ts';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { projectRoot } from '../support/local-server.ts';
import { listAttacks } from './attack.ts';
import { countSteps, EndlessError } from './count-steps.ts';
import { type Expression, findExpressions } from './find-expressions.ts';
import { parseExpression } from './parse-expression.ts';

/** Repetitions of one character in the smaller and the larger text. */
const [few, many] = [150, 450];
/** Longer parts are repeated less often: the steps are counted by recursion, whose depth grows with the text. */
const leastShare = 0.2;
/** Linear work grows threefold, quadratic work ninefold. */
const mostGrowth = 5;

/** The text that makes an expression take more than linear time; undefined if not found. */
function findFault({ source, flags }: Pick<Expression, 'source' | 'flags'>): string | undefined {
  const root = parseExpression(source, flags);
  for (const { before, repeated, behind } of listAttacks(root, source)) {
    const share = Math.max(leastShare, 1 / repeated.length);
    const count = (times: number) =>
      countSteps(root, flags, before + repeated.repeat(times * share) + behind);
    try {
      if (count(many) <= count(few) * mostGrowth) continue;
    } catch (error) {
      if (!(error instanceof EndlessError)) throw error;
    }
    return JSON.stringify([before, repeated, behind]);
  }
  return undefined;
}

describe('the work of an expression is measured', () => {
  test.each([
    [/^\s*\d*\s*x$/],
    [/(a+)+$/],
    [/\/+$/],
    [/^bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})$/i],
    [/^(ab|ab)+$/],
    [/name="?x"?\r\n(?:[^\r\n]+\r\n)*\r\n([^\r\n]*)\r\n/],
  ])('%s takes more than linear time', (expression) => {
    expect(findFault(expression)).toBeDefined();
  });

  test.each([[/^[a-z]+$/], [/^\d{1,15}$/], [/[&<>]/g], [/\buse\b/], [/^(?:a|b)*c/]])(
    '%s takes linear time',
    (expression) => {
      expect(findFault(expression)).toBeUndefined();
    },
  );
});

/** Expressions that a file creates with `new RegExp` when it is loaded or called. */
async function recordMade(file: string): Promise<Expression[]> {
  const made: Expression[] = [];
  const native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(native, {
    construct(target, [source, flags = '']) {
      made.push({ file, source: String(source), flags: String(flags) });
      return new target(source, flags);
    },
  });
  await jest.isolateModulesAsync(async () => {
    const exported: Record<string, unknown> = await import(join(projectRoot, file));
    callsByFile[file]?.(exported);
  });
  globalThis.RegExp = native;
  return made;
}

/** Files that make expressions when they are called. */
const callsByFile: Record<string, (exported: Record<string, unknown>) => void> = {
  'shared/http/fallback.ts': ({ fallback }) =>
    Object(fallback).call(undefined, { '/storage/{path+}': ['GET'], '/a': ['GET'] }),
};

describe('every expression that runs in functions takes linear time', () => {
  const { literals, makers } = findExpressions();

  test.each(literals)('/$source/ of $file', (expression) => {
    expect(findFault(expression)).toBeUndefined();
  });

  test.each(makers)('those that %s makes', async (file) => {
    const made = await recordMade(file);

    expect(made.map(({ source }) => source)).not.toEqual([]);
    for (const expression of made)
      expect([expression.source, findFault(expression)]).toEqual([expression.source, undefined]);
  });

  test('which are many', () => {
    expect([literals.length > 100, makers.length > 2]).toEqual([true, true]);
  });
});
