import '../../../support/environment.ts';
import { describe, expect, it, test } from '@jest/globals';
import { createRole, findRole } from '#functions/stacks/roles.ts';
import { permissionSets } from '#functions/stacks/stack.ts';
import { chainEndKey } from '#modules/System/audit/chain-end.ts';
import { chunkPartition, digestPartition } from '#modules/System/audit/digest.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';

const client = '@aws-sdk/client-dynamodb';

const place = { stage: 'prod', stack: 'system' };
const on = (...methods: string[]) => methods.map((method) => ({ httpApi: { method, path: '/a' } }));
const role = (name: string) => ({ 'Fn::ImportValue': `backend-prod-Role${name}Arn` });
const disk = { fileSystemConfig: { arn: 'arn', localMountPath: '/mnt' } };

describe('the role of a function', () => {
  it.each([
    ['reads by GET', on('GET'), [client], 'Read'],
    ['reads by GET and HEAD', on('GET', 'HEAD'), [client], 'Read'],
    ['has a method that writes', on('GET', 'POST'), [client], 'Table'],
    ['answers unknown paths', [{ httpApi: '*' }], [client], 'Table'],
    ['runs by the clock', [{ schedule: 'rate(1 hour)' }], [client], 'Table'],
    ['does not hold the client of the database', on('GET'), ['zod'], 'None'],
  ])('that %s', (_name, events, packages, expected) => {
    expect(findRole({ events }, place, new Set(packages))).toEqual(role(expected));
  });

  it('is Files for a function that reads from a mounted disk', () => {
    expect(findRole({ events: on('GET'), ...disk }, place, new Set([client]))).toEqual(role('Files'));
  });
});

describe('the role Read', () => {
  const statements = createRole('Read', 'prod').Properties.Policies.flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  );
  const actionsWith = (isBound: boolean) =>
    statements
      .filter(({ Condition }) => (Condition !== undefined) === isBound)
      .flatMap(({ Action }) => Action.filter((name) => name.startsWith('dynamodb:')));

  it('reads everything', () => {
    expect(actionsWith(false)).toEqual(['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query']);
  });

  it('changes only sessions, and adds to the audit log', () => {
    const allowed = statements.filter(({ Effect, Condition }) => Effect === 'Allow' && Condition);
    const on = (...keys: string[]) => ({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    });

    expect(allowed.map(({ Action, Condition }) => [Action.join(), Condition])).toEqual([
      ['dynamodb:DeleteItem,dynamodb:UpdateItem', on('SESSION#*')],
      ['dynamodb:PutItem', on('AUDIT#*', 'AUDIT_COUNT#*#*')],
      ['dynamodb:UpdateItem', on('AUDIT_COUNT#*#*')],
    ]);
  });
});

test.each(permissionSets)(
  'the role %s allows nothing to a request that leaves out a key of a condition',
  (set) => {
    const statements = createRole(set, 'prod', 'arn').Properties.Policies.flatMap(
      ({ PolicyDocument }) => PolicyDocument.Statement,
    );
    const open = statements.filter(({ Effect, Condition = {} }) => {
      const { Null = {}, ...others } = Object(Condition);
      const names = Object.entries(others).flatMap(([operator, each]) =>
        operator.startsWith('ForAllValues:') ? Object.keys(Object(each)) : [],
      );
      return Effect === 'Allow' && names.some((name) => Object(Null)[name] !== 'false');
    });

    expect(open).toEqual([]);
  },
);

describe.each(['Read', 'Table', 'Files'] as const)('the role %s', (set) => {
  it('may neither change nor delete entries and digests of the audit log', () => {
    const denied = createRole(set, 'prod').Properties.Policies.flatMap(({ PolicyDocument }) =>
      PolicyDocument.Statement.filter(({ Effect }) => Effect === 'Deny'),
    );

    expect(denied).toEqual([
      {
        Effect: 'Deny',
        Action: expect.arrayContaining([
          'dynamodb:BatchWriteItem',
          'dynamodb:DeleteItem',
          'dynamodb:UpdateItem',
        ]),
        Resource: { 'Fn::GetAtt': ['Table', 'Arn'] },
        Condition: {
          'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': ['AUDIT#*', 'AUDIT_DIGEST#*'] },
        },
      },
    ]);
  });
});

it('the denied keys are those of entries, digests and their chunks, but not the end of the chain', () => {
  const isDenied = (pk: string) => /^(AUDIT|AUDIT_DIGEST)#/.test(pk);
  const keys = [auditPartition('2026-11'), digestPartition('2026-11'), chunkPartition('00ff')];

  expect(keys.map(isDenied)).toEqual([true, true, true]);
  expect(isDenied(chainEndKey.pk)).toBe(false);
});
