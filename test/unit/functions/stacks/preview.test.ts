import { describe, expect, it } from '@jest/globals';
import { isStageName, stageLimit } from '#functions/names.ts';
import { readPreview } from '#functions/stacks/deployment.ts';
import { createResources } from '#functions/stacks/resources.ts';

const tableOf = (isPreview: boolean) => {
  const { Resources } = createResources({ stage: 'pr-12', stack: 'core' }, {}, { isPreview });
  return 'Table' in Resources ? Resources.Table : undefined;
};

describe('the table', () => {
  it('of a preview goes with its stack', () => {
    expect(tableOf(true)).toMatchObject({
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
      Properties: { DeletionProtectionEnabled: false },
    });
  });

  it('of another stage stays', () => {
    expect(tableOf(false)).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { DeletionProtectionEnabled: true },
    });
  });
});

describe('isStageName', () => {
  it.each(['prod', 'pr-12', 'a', 'v2', 'x'.repeat(stageLimit)])('takes %s', (name) => {
    expect(isStageName(name)).toBe(true);
  });

  it.each(['', '12', 'pr-', 'pr-x', 'pr-1-2', '-1', 'Pr', 'x'.repeat(stageLimit + 1)])(
    'refuses "%s"',
    (name) => {
      expect(isStageName(name)).toBe(false);
    },
  );
});

describe('readPreview', () => {
  it('reads whose parameters a preview has', () => {
    expect(readPreview({})).toBeUndefined();
    expect(readPreview({ PREVIEW: 'own' })).toEqual({});
    expect(readPreview({ PREVIEW: 'staging' })).toEqual({ parametersOf: 'staging' });
    expect(() => readPreview({ PREVIEW: '../prod' })).toThrow('PREVIEW');
  });
});
