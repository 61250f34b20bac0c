import '../../../support/environment.ts';
import { describe, expect, it } from '@jest/globals';
import { createRole, findRole } from '#functions/stacks/roles.ts';

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

  it('changes only sessions', () => {
    expect(actionsWith(true)).toEqual(['dynamodb:DeleteItem', 'dynamodb:UpdateItem']);
    expect(statements.flatMap(({ Condition }) => Condition ?? [])).toEqual([
      { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['SESSION#*'] } },
    ]);
  });
});
