import '../../../support/environment.ts';
import { describe, expect, it } from '@jest/globals';
import { createSharedRoles, findRole, type Statement } from '#functions/stacks/roles.ts';
import type { WriteRight } from '#functions/stacks/written-keys.ts';
import { chainEndKey } from '#modules/System/audit/chain-end.ts';
import { chunkPartition, digestPartition } from '#modules/System/audit/digest.ts';
import { anchorParameter } from '#shared/audit/anchor.ts';
import { countPartition } from '#shared/audit/counts.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { writeActions } from '#shared/db/written-keys.ts';
import { listDenied } from '../../../support/judge-request.ts';
import { discoverShipped } from '../../../support/shipped-modules.ts';

const client = '@aws-sdk/client-dynamodb';
const target = { stage: 'prod', stack: 'system' };
const on = (...methods: string[]) => methods.map((method) => ({ httpApi: { method, path: '/a' } }));
const disk = { fileSystemConfig: { arn: 'arn:of-the-disk', localMountPath: '/mnt' } };
const shop: WriteRight = { keys: 'SHOP#*', actions: writeActions };
const use: WriteRight = {
  keys: 'SESSION#*',
  actions: ['UpdateItem'],
  attributes: ['pk', 'sk', 'lastSeenAt'],
};

const find = (events: Parameters<typeof findRole>[0]['events'], rights: WriteRight[] = [shop], more = {}) =>
  findRole({ events, ...more }, target, { packages: new Set([client]), rights });
const listStatements = ({ resources }: ReturnType<typeof find>): Statement[] =>
  Object.values(resources).flatMap(({ Properties }) =>
    Properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
  );

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const isPermitted = (statements: readonly Statement[], operation: string, body: object): boolean =>
  listDenied(statements, operation, { TableName: 't', ...body }).length === 0;
const update = (pk: string, ...attributes: string[]) => ({
  Key: key(pk),
  UpdateExpression: `SET ${attributes.map((name) => `#${name} = :v`).join(', ')}`,
  ExpressionAttributeNames: Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
});

describe('a function that writes', () => {
  const statements = listStatements(find(on('GET', 'POST'), [shop, use]));

  it('reads everything, and writes the keys of its code only', () => {
    expect(isPermitted(statements, 'GetItem', { Key: key('ADMIN#1') })).toBe(true);
    expect(isPermitted(statements, 'Query', { IndexName: 'gsi1' })).toBe(true);
    for (const [pk, isWritten] of [
      ['SHOP#1', true],
      ['ADMIN#1', false],
      ['SHOP', false],
    ] as const) {
      expect(isPermitted(statements, 'PutItem', { Item: key(pk) })).toBe(isWritten);
      expect(isPermitted(statements, 'DeleteItem', { Key: key(pk) })).toBe(isWritten);
      expect(
        isPermitted(statements, 'TransactWriteItems', { TransactItems: [{ Put: { Item: key(pk) } }] }),
      ).toBe(isWritten);
    }
  });

  it('changes only the attributes that its code names', () => {
    expect(isPermitted(statements, 'UpdateItem', update('SESSION#1', 'lastSeenAt'))).toBe(true);
    expect(isPermitted(statements, 'UpdateItem', update('SESSION#1', 'principalId'))).toBe(false);
    expect(isPermitted(statements, 'UpdateItem', update('SESSION#1', 'lastSeenAt', 'principalId'))).toBe(
      false,
    );
    expect(isPermitted(statements, 'DeleteItem', { Key: key('SESSION#1') })).toBe(false);
  });

  it.each(['PutItem', 'UpdateItem', 'DeleteItem', 'Scan', 'BatchWriteItem', 'PartiQLUpdate', 'DeleteTable'])(
    'may not ask for %s without a key',
    (operation) => {
      expect(isPermitted(statements, operation, {})).toBe(false);
    },
  );

  it('refers to the table by its name in another stack than its own', () => {
    expect(JSON.stringify(statements)).toContain('backend-prod-TableName');
    expect(JSON.stringify(statements)).not.toContain('Table.Arn');
  });
});

describe('a function that answers GET', () => {
  it('writes only what its gates write', () => {
    const statements = listStatements(find(on('GET', 'HEAD'), [shop, use]));

    expect(isPermitted(statements, 'UpdateItem', update('SESSION#1', 'lastSeenAt'))).toBe(true);
    expect(isPermitted(statements, 'PutItem', { Item: key('SHOP#1') })).toBe(false);
  });

  it('writes nothing if its code does not', () => {
    const actions = listStatements(find(on('GET'), [shop])).flatMap(({ Effect, Action }) =>
      Effect === 'Allow' ? Action : [],
    );

    expect(actions.filter((name) => /dynamodb:(?:Put|Update|Delete|Check|Condition)/.test(name))).toEqual([]);
  });
});

it.each([
  ['is called for unknown paths', [{ httpApi: '*' }]],
  ['runs by the clock', [{ schedule: 'rate(1 hour)' }]],
])('a function that %s writes what its code writes', (_name, events) => {
  expect(isPermitted(listStatements(find(events)), 'PutItem', { Item: key('SHOP#1') })).toBe(true);
});

it('functions with the same rights share a role, and others have a role of their own', () => {
  const names = [find(on('POST')), find(on('POST'), [shop, shop]), find(on('POST'), [use])].flatMap(
    ({ resources }) => Object.keys(resources),
  );

  expect(names[1]).toBe(names[0]);
  expect(names[2]).not.toBe(names[0]);
});

it('a function without the client of the database only writes its log', () => {
  const role = findRole({ events: on('GET') }, target, { packages: new Set(['zod']), rights: [shop] });

  expect(role).toEqual({ reference: { 'Fn::ImportValue': 'backend-prod-RoleNoneArn' }, resources: {} });
  expect(createSharedRoles({ ...target, stack: 'core' }).RoleNone.Properties.Policies).toHaveLength(1);
});

it('a stream listener reads the stream and nothing else', () => {
  const { reference, resources } = find([{ stream: {} }]);

  expect(reference).toEqual({ 'Fn::ImportValue': 'backend-prod-RoleStreamArn' });
  expect(resources).toEqual({});
});

it('a function with a disk may also mount it', () => {
  const role = find(on('GET'), [], disk);

  expect(listStatements(role)).toContainEqual(expect.objectContaining({ Resource: 'arn:of-the-disk' }));
  expect(JSON.stringify(role.resources)).toContain('AWSLambdaVPCAccessExecutionRole');
});

describe('every role', () => {
  const all = [shop, use, { keys: '*', actions: writeActions }];
  const statements = listStatements(find(on('POST'), all));

  it('allows nothing to a request that leaves out a key of a condition', () => {
    const open = statements.filter(({ Effect, Condition = {} }) => {
      const { Null = {}, ...others } = Condition;
      const names = Object.entries(others).flatMap(([operator, each]) =>
        operator.startsWith('ForAllValues:') ? Object.keys(each) : [],
      );
      return Effect === 'Allow' && names.some((name) => Null[name] !== 'false');
    });

    expect(open).toEqual([]);
  });
});

describe.each([
  ['a job of the audit log', true],
  ['any other function', false],
])('%s', (_name, auditsLog) => {
  const role = find([{ schedule: 'rate(1 hour)' }], [{ keys: '*', actions: writeActions }], { auditsLog });
  const statements = listStatements(role);
  const entry = auditPartition('2026-11');
  const count = countPartition('2026-11-23', 3);
  const digests = [digestPartition('2026-11'), chunkPartition('00ff'), chainEndKey.pk];
  const may = (operation: string, pk: string) =>
    isPermitted(
      statements,
      operation,
      operation === 'PutItem'
        ? { Item: key(pk) }
        : operation === 'UpdateItem'
          ? update(pk, 'a')
          : { Key: key(pk) },
    );

  it.each([entry, count, ...digests])('deletes nothing of %s', (pk) => {
    expect(may('DeleteItem', pk)).toBe(false);
  });

  it('adds entries and does not change them, and counts', () => {
    expect([may('PutItem', entry), may('UpdateItem', entry)]).toEqual([true, false]);
    expect([may('PutItem', count), may('UpdateItem', count)]).toEqual([true, true]);
  });

  it.each(digests)('writes %s only if it is a job of the log', (pk) => {
    expect([may('PutItem', pk), may('UpdateItem', pk)]).toEqual([auditsLog, auditsLog]);
  });

  it('is denied no other item', () => {
    for (const pk of ['ADMIN#1', 'SESSION#1', 'AUDITOR#1', 'CONFIG#audit']) {
      expect(['PutItem', 'UpdateItem', 'DeleteItem'].map((operation) => may(operation, pk))).toEqual([
        ...[true, true, true],
      ]);
    }
  });

  it('reaches the end of the log outside of the table only if it is a job of the log', () => {
    const outside = statements.filter(({ Action }) => Action.join().includes('ssm:'));

    expect(outside.map(({ Action }) => Action)).toEqual(
      auditsLog ? [['ssm:GetParameter', 'ssm:PutParameter']] : [],
    );
    expect(JSON.stringify(outside)).toContain(
      auditsLog ? `parameter${anchorParameter('$' + '{Name}', '*')}` : '[]',
    );
  });
});

it('the jobs of the audit log, and no other job, say that they are', async () => {
  const { jobs } = await discoverShipped();

  const audits = jobs.filter(({ job }) => job.auditsLog).map(({ file }) => file);
  expect(audits.length).toBeGreaterThan(1);
  expect(audits.filter((file) => !/^modules\/System\/Jobs\/.*audit/.test(file))).toEqual([]);
});
