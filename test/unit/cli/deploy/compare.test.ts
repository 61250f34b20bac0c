import { describe, expect, it } from '@jest/globals';
import { compare } from '#cli/deploy/compare.ts';
import { hashTag, type StackPackage } from '#cli/deploy/package.ts';
import { useCloud } from '../../../support/use-cloud.ts';

const hash = 'a'.repeat(64);
const packaged: StackPackage = {
  stack: 'core',
  service: 'backend-core',
  region: 'eu-central-1',
  folder: '.build/deploy/core',
  hash,
  schema: 2,
};
const cloud = useCloud();

const place = (status: string, tag: string | undefined = hash) =>
  cloud.stacks.set('backend-core-prod', { status, tags: tag ? { STAGE: 'prod', [hashTag]: tag } : {} });

describe('compare', () => {
  it('reports a missing stack as new', async () => {
    expect(await compare(packaged, 'prod')).toMatchObject({ kind: 'new' });
  });

  it('reads the stack of the stage', async () => {
    place('UPDATE_COMPLETE');

    expect(await compare(packaged, 'test')).toMatchObject({ kind: 'new' });
    expect(await compare(packaged, 'prod')).toMatchObject({ kind: 'same' });
  });

  it.each([
    ['UPDATE_COMPLETE', 'b'.repeat(64), 'the content has changed'],
    ['UPDATE_COMPLETE', '', 'the stack has no hash'],
    // The framework creates a stack with its tags, but without its content.
    ['CREATE_COMPLETE', hash, 'the first deployment did not finish'],
    ['UPDATE_ROLLBACK_COMPLETE', hash, 'the last deployment was rolled back'],
  ])('finds that a stack in the state %s with the tag "%s" differs', async (status, tag, reason) => {
    place(status, tag);

    expect(await compare(packaged, 'prod')).toMatchObject({ kind: 'differs', reason });
  });

  it.each([
    ['ROLLBACK_COMPLETE', 'delete-stack'],
    ['ROLLBACK_FAILED', 'delete-stack'],
    ['CREATE_FAILED', 'delete-stack'],
    ['DELETE_FAILED', 'delete-stack'],
    ['REVIEW_IN_PROGRESS', 'delete-stack'],
    ['UPDATE_ROLLBACK_FAILED', 'continue-update-rollback'],
  ])('names the fix for a stack in the state %s', async (status, command) => {
    place(status);

    const { kind, reason } = await compare(packaged, 'prod');

    expect(kind).toBe('blocked');
    expect(reason).toContain(status);
    expect(reason).toContain(`aws cloudformation ${command} --stack-name backend-core-prod`);
  });

  it('waits for an update of another run', async () => {
    const tags = { [hashTag]: hash };
    const before = ['UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS'];
    cloud.stacks.set('backend-core-prod', { status: 'UPDATE_COMPLETE', tags, before });

    expect(await compare(packaged, 'prod', 0)).toMatchObject({ kind: 'same' });
    expect(before).toEqual([]);
  });

  it('fails without permission', async () => {
    cloud.refusal = 'not authorized to perform: cloudformation:DescribeStacks';

    await expect(compare(packaged, 'prod')).rejects.toThrow('cloudformation:DescribeStacks');
  });
});
