import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { useCloud } from '../../../support/use-cloud.ts';
import { createStages } from './stages-double.ts';

// Thousands of requests.
jest.setTimeout(300_000);

const cloud = useCloud();
const { make, remove, left, sweep } = createStages(cloud);

describe('a sweep', () => {
  it('leaves nothing of a hundred previews, interrupted anywhere', async () => {
    const preview = fc.record({
      stacks: fc.subarray(['article', 'system', 'aggregate']),
      interruptAt: fc.nat(30),
      kind: fc.constantFrom('before' as const, 'after' as const),
    });
    const previews = fc.array(preview, { minLength: 100, maxLength: 100 });
    await fc.assert(
      fc.asyncProperty(previews, async (each) => {
        cloud.empty();
        make('prod');
        const ofProd = JSON.stringify([left(), ...cloud.stacks.values()]);
        for (const [index, { stacks, interruptAt, kind }] of each.entries()) {
          make(`pr-${index}`, { stacks: ['core', ...stacks], isPreview: true });
          let count = 0;
          cloud.interrupt = () => (count++ >= interruptAt ? kind : undefined);
          await remove(`pr-${index}`, true).catch(() => {});
          cloud.interrupt = undefined;
        }
        await sweep([]);

        expect(JSON.stringify([left(), ...cloud.stacks.values()])).toBe(ofProd);
      }),
      { numRuns: 1 },
    );
  });
});
