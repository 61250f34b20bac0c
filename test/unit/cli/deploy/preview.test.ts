import { afterEach, describe, expect, it } from '@jest/globals';
import { assertPreview, choosePreview, readPreviewTable } from '#cli/deploy/preview.ts';
import { useCloud } from '../../../support/use-cloud.ts';

const region = 'eu-central-1';
const cloud = useCloud();

afterEach(() => {
  delete process.env.PREVIEW;
});

const place = (stage: string, tags: Record<string, string>) => {
  cloud.stacks.set(`backend-core-${stage}`, { status: 'UPDATE_COMPLETE', tags: { STAGE: stage, ...tags } });
  cloud.tables.set(`backend-core-${stage}-Table-1`, { isProtected: true, tags });
};
const preview = { 'backend:preview': 'true' };

describe('a preview', () => {
  it('is chosen for the framework by its name and the stage whose parameters it reads', () => {
    choosePreview('pr-12', 'staging');
    expect(process.env.PREVIEW).toBe('staging');
    choosePreview('pr-12', undefined);
    expect(process.env.PREVIEW).toBe('own');
  });

  it.each(['prod', 'staging', 'pr-', 'pr-123456789'])('does not have the name %s', (stage) => {
    expect(() => choosePreview(stage, undefined)).toThrow('a preview has a name');
  });

  it('never takes the place of another stage, and no other stage takes its place', async () => {
    place('pr-1', {});
    place('pr-2', preview);

    await expect(assertPreview(region, 'pr-1', true)).rejects.toThrow('pr-1 is not a preview');
    await expect(assertPreview(region, 'pr-2', false)).rejects.toThrow('add --preview');
    await expect(assertPreview(region, 'pr-2', true)).resolves.toBeUndefined();
    await expect(assertPreview(region, 'pr-3', true)).resolves.toBeUndefined();
  });

  it('has a table of its own, which example data may fill', async () => {
    place('pr-1', {});
    place('pr-2', preview);

    expect(await readPreviewTable('pr-2')).toBe('backend-core-pr-2-Table-1');
    await expect(readPreviewTable('pr-1')).rejects.toThrow('not a preview');
    await expect(readPreviewTable('pr-3')).rejects.toThrow('not a preview');
  });
});
