import '../../../support/environment.ts';
import { describe, expect, it } from '@jest/globals';
import { readTable } from '#functions/stacks/deployment.ts';
import { createResources } from '#functions/stacks/resources.ts';
import { findRole } from '#functions/stacks/roles.ts';
import { refer } from '#functions/stacks/stack.ts';
import { writeActions } from '#shared/db/written-keys.ts';

const streamArn =
  'arn:aws:dynamodb:eu-central-1:123456789012:table/backend-restored/stream/2026-11-28T06:00:00.000';
const table = { name: 'backend-restored', streamArn };
const stacks = ['core', 'system', 'all'];

describe('readTable', () => {
  it('reads both variables, or none', () => {
    expect(readTable({ TABLE: table.name, TABLE_STREAM_ARN: streamArn })).toEqual(table);
    expect(readTable({ TABLE: '', TABLE_STREAM_ARN: '' })).toBeUndefined();
  });

  it.each([
    [{ TABLE: table.name }, 'TABLE_STREAM_ARN is not set'],
    [{ TABLE_STREAM_ARN: streamArn }, 'TABLE is not set'],
    [
      { TABLE: 'backend-other', TABLE_STREAM_ARN: streamArn },
      'it takes the stream of the table backend-other',
    ],
    [{ TABLE: table.name, TABLE_STREAM_ARN: streamArn.replace(/\/stream.*/, '') }, 'it takes the stream'],
  ])('refuses %j', (environment, message) => {
    expect(() => readTable(environment)).toThrow(message);
  });
});

describe('a stage with a given table', () => {
  it.each(stacks)('refers to it by its name in %s, without an export', (stack) => {
    const target = { stage: 'prod', stack, table };

    expect(refer(target, 'TableName')).toBe(table.name);
    expect(refer(target, 'StreamArn')).toBe(streamArn);
  });

  it.each(stacks)('gives functions of %s rights on it, and on no other table', (stack) => {
    const bundle = {
      packages: new Set(['@aws-sdk/client-dynamodb']),
      rights: [{ keys: 'SHOP#*', actions: writeActions }],
    };
    const events = [{ httpApi: { method: 'POST', path: '/a' } }];
    const { resources } = findRole({ events, auditsLog: true }, { stage: 'prod', stack, table }, bundle);
    const text = JSON.stringify(resources);

    expect(text).toContain('"Name":"backend-restored"');
    expect(text).not.toMatch(/ImportValue|Table\.Arn|"Ref":"Table"/);
  });

  it('lets listeners read its stream, and watches it', () => {
    const { Resources } = createResources({ stage: 'prod', stack: 'core', table }, {});

    expect(JSON.stringify(Object(Resources).RoleStream)).toContain(streamArn);
    expect(JSON.stringify(Object(Resources).TableReadThrottleAlarm)).toContain('"Value":"backend-restored"');
  });

  it.each(['core', 'all'])('keeps its own table and the values that %s exports as they were', (stack) => {
    const [before, after] = [undefined, table].map((given) =>
      createResources({ stage: 'prod', stack, table: given }, {}),
    );

    expect(Object(after?.Resources).Table).toEqual(Object(before?.Resources).Table);
    expect(Object(after?.Resources).Table).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { DeletionProtectionEnabled: true },
    });
    expect(Object(after).Outputs).toEqual(Object(before).Outputs);
  });
});
