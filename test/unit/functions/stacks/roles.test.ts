import '../../../support/environment.ts';
import { describe, expect, it, test } from '@jest/globals';
import { createRole, findRole } from '#functions/stacks/roles.ts';
import { type PermissionSet, permissionSets } from '#functions/stacks/stack.ts';
import { chainEndKey } from '#modules/System/audit/chain-end.ts';
import { chunkPartition, digestPartition } from '#modules/System/audit/digest.ts';
import { anchorParameter } from '#shared/audit/anchor.ts';
import { countPartition } from '#shared/audit/counts.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { discoverShipped } from '../../../support/shipped-modules.ts';

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

/** The statements of a role. */
const statementsOf = (set: PermissionSet) =>
  createRole(set, 'prod', 'arn').Properties.Policies.flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  );

/** Whether the role denies an action on an item of the table, as IAM compares patterns. */
const isDenied = (set: PermissionSet, action: string, pk: string): boolean =>
  statementsOf(set).some(({ Effect, Action, Condition = {} }) => {
    const patterns: string[] = Object(Condition)['ForAnyValue:StringLike']?.['dynamodb:LeadingKeys'] ?? [];
    const fits = patterns.some((each) => RegExp(`^${each.replaceAll('*', '.*')}$`).test(pk));
    return Effect === 'Deny' && Action.includes(`dynamodb:${action}`) && fits;
  });

const entry = auditPartition('2026-11');
const digests = [digestPartition('2026-11'), chunkPartition('00ff'), chainEndKey.pk];
const count = countPartition('2026-11-23', 3);
const deletes = ['DeleteItem', 'BatchWriteItem', 'PartiQLDelete'];
const updates = ['UpdateItem', 'PartiQLUpdate'];
const puts = ['PutItem', 'PartiQLInsert'];

const writers = permissionSets.filter((set) =>
  statementsOf(set).some(
    ({ Effect, Action }) =>
      Effect === 'Allow' && Action.some((name) => /:(Put|Update|Delete)Item/.test(name)),
  ),
);

describe.each(writers)('the role %s', (set) => {
  test.each([entry, ...digests, count])('deletes nothing of %s', (pk) => {
    expect(deletes.map((action) => isDenied(set, action, pk))).toEqual([true, true, true]);
  });

  test('adds entries, and does not change them', () => {
    expect(updates.map((action) => isDenied(set, action, entry))).toEqual([true, true]);
    expect(puts.map((action) => isDenied(set, action, entry))).toEqual([false, false]);
  });

  test('counts', () => {
    expect([...puts, ...updates].map((action) => isDenied(set, action, count))).not.toContain(true);
  });

  test.each(digests)('writes %s only for the jobs of the log', (pk) => {
    const isForJobs = set === 'Audit';
    const denied = [...puts, ...updates].map((action) => isDenied(set, action, pk));

    expect(denied).toEqual(Array(4).fill(!isForJobs));
  });

  test('is denied no other item', () => {
    const others = ['ADMIN#1', 'SESSION#1', 'AUDITOR#1', 'CONFIG#audit'];
    const actions = [...deletes, ...updates, ...puts];

    expect(others.filter((pk) => actions.some((action) => isDenied(set, action, pk)))).toEqual([]);
  });
});

describe('the end of the log outside of the table', () => {
  test('is read and written by the role of its jobs, and by no other', () => {
    const holders = permissionSets.filter((set) =>
      JSON.stringify(createRole(set, 'prod', 'arn')).includes('ssm:'),
    );
    expect(holders).toEqual(['Audit']);

    const [statement, ...others] = statementsOf('Audit').filter(({ Action }) =>
      Action.join().includes('ssm:'),
    );
    expect(others).toEqual([]);
    expect(statement).toEqual({
      Effect: 'Allow',
      Action: ['ssm:GetParameter', 'ssm:PutParameter'],
      Resource: {
        'Fn::Sub': `arn:\${AWS::Partition}:ssm:\${AWS::Region}:\${AWS::AccountId}:parameter/audit-log/\${Table}/*`,
      },
    });
  });

  test('is the parameter of the table', () => {
    expect(anchorParameter('backend-Table-1X', 'end')).toBe('/audit-log/backend-Table-1X/end');
  });

  test('belongs to the jobs that say so, not to functions with the same packages', () => {
    const job = { events: [{ schedule: 'rate(1 hour)' }], ...disk };
    expect(findRole({ ...job, auditsLog: true }, place, new Set([client]))).toEqual(role('Audit'));
    expect(findRole(job, place, new Set([client, '@aws-sdk/client-ssm']))).toEqual(role('Files'));
  });
});

test('the jobs of the log, and no other function, have its role', async () => {
  const { jobs } = await discoverShipped();

  const audits = jobs.filter(({ job }) => job.auditsLog).map(({ file }) => file);
  expect(audits.length).toBeGreaterThan(1);
  expect(audits.filter((file) => !/^modules\/System\/Jobs\/.*audit/.test(file))).toEqual([]);
});
