import { createHash } from 'node:crypto';
import { anchorParameter } from '#shared/audit/anchor.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { type GateFacts, gates } from '#shared/http/gates.ts';
import type { Job } from '#shared/module/module.ts';
import { serviceName } from '../names.ts';
import { listFileRights } from './files-bucket.ts';
import { type FunctionDefinition, hasLibraries } from './function-map.ts';
import { type DeployTarget, hasCore, refer, type SharedRole } from './stack.ts';
import type { WriteRight } from './written-keys.ts';

export type Statement = {
  Effect: 'Allow' | 'Deny';
  Action: string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, string | readonly string[]>>;
};

const allow = (Action: string[], Resource: unknown): Statement => ({ Effect: 'Allow', Action, Resource });

const logs = (stage: string): Statement =>
  allow(['logs:CreateLogStream', 'logs:PutLogEvents'], {
    'Fn::Sub': `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:/${serviceName}/${stage}/*:*`,
  });

/** The table's ARN with an ending. Other stacks than its own know its name. */
function referTable(target: DeployTarget, ending = ''): object {
  if (hasCore(target.stack) && !target.table) return { 'Fn::Sub': `\${Table.Arn}${ending}` };
  const arn = `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/\${Name}${ending}`;
  return { 'Fn::Sub': [arn, { Name: refer(target, 'TableName') }] };
}

const onTable = (names: readonly string[]): string[] => names.map((name) => `dynamodb:${name}`);

const leadingKeys = 'dynamodb:LeadingKeys';
const attributeNames = 'dynamodb:Attributes';

/**
 * Limits of the values of condition keys. `ForAllValues` also holds for a request without the key: `Null` refuses that
 * one.
 */
const only = (limits: Record<string, readonly string[]>): Pick<Required<Statement>, 'Condition'> => ({
  Condition: {
    'ForAllValues:StringLike': limits,
    Null: Object.fromEntries(Object.keys(limits).map((name) => [name, 'false'])),
  },
});

const denyItems = (actions: readonly string[], keys: readonly string[], table: object): Statement => ({
  Effect: 'Deny',
  Action: onTable(actions),
  Resource: table,
  Condition: { 'ForAnyValue:StringLike': { [leadingKeys]: keys } },
});

// All digests, their chunks, and the end of the chain.
const auditKeys = { entries: auditPartition('*'), digests: 'AUDIT_DIGEST*', counts: 'AUDIT_COUNT*' };
const deletes = ['BatchWriteItem', 'DeleteItem', 'PartiQLDelete'];
const updates = ['UpdateItem', 'PartiQLUpdate'];
const puts = ['PutItem', 'PartiQLInsert'];

/**
 * Entries of the audit log are only added, and counts only changed; DynamoDB itself deletes expired ones. IAM cannot
 * deny a put that replaces an item, but `audit:verify` finds it. Only the jobs of the log write digests.
 */
const denyChangesOfAudit = (table: object, auditsLog: boolean): Statement[] => [
  denyItems(deletes, Object.values(auditKeys), table),
  denyItems(updates, [auditKeys.entries], table),
  ...(auditsLog ? [] : [denyItems([...puts, ...updates], [auditKeys.digests], table)]),
];

/** What the jobs of the log keep outside of the table. */
function allowAnchors(target: DeployTarget): Statement {
  const parameter = anchorParameter(`\${Name}`, '*');
  const arn = `arn:\${AWS::Partition}:ssm:\${AWS::Region}:\${AWS::AccountId}:parameter${parameter}`;
  return allow(['ssm:GetParameter', 'ssm:PutParameter'], {
    'Fn::Sub': [arn, { Name: refer(target, 'TableName') }],
  });
}

/** One statement for all keys with the same actions and attributes, so that the policy stays short. */
function allowWrites(rights: readonly WriteRight[], table: object): Statement[] {
  const groups = Map.groupBy(rights, ({ actions, attributes }) =>
    JSON.stringify([actions.toSorted(), attributes?.toSorted()]),
  );
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, members]) => {
      const [actions, attributes]: [string[], string[]?] = JSON.parse(group);
      const keys = [...new Set(members.map((each) => each.keys))].sort();
      const limits = { [leadingKeys]: keys, ...(attributes && { [attributeNames]: attributes }) };
      return { ...allow(onTable(actions), table), ...only(limits) };
    });
}

const writtenByGates = Object.values<GateFacts>(gates).flatMap(({ writes = [] }) => writes);

/** In GET and HEAD routes only the gates write (test/round-trips checks this). */
const limitToGates = (rights: readonly WriteRight[]): WriteRight[] =>
  rights.flatMap((right) => {
    const allowed = writtenByGates.filter((gate) => gate.keys.includes(right.keys));
    const actions = right.actions.filter((action) => allowed.some((gate) => gate.actions.includes(action)));
    const attributes = right.attributes ?? allowed.find((gate) => gate.attributes)?.attributes;
    return actions.length > 0 ? [{ ...right, actions, ...(attributes && { attributes }) }] : [];
  });

function listTableStatements(
  target: DeployTarget,
  rights: readonly WriteRight[],
  auditsLog: boolean,
): Statement[] {
  const table = referTable(target);
  // No `Scan`, and no changes of the table itself.
  const reads = onTable([
    'BatchGetItem',
    'GetItem',
    'Query',
    ...(rights.length > 0 ? ['ConditionCheckItem'] : []),
  ]);
  return [
    allow(reads, [table, referTable(target, '/index/*')]),
    ...allowWrites(rights, table),
    ...denyChangesOfAudit(table, auditsLog),
    ...(auditsLog ? [allowAnchors(target)] : []),
  ];
}

const managed = (name: string) => ({ 'Fn::Sub': `arn:\${AWS::Partition}:iam::aws:policy/${name}` });

function createRole(PolicyName: string, statements: readonly Statement[], isOnNetwork = false) {
  const trust = { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' };
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [trust] },
      ManagedPolicyArns: [
        managed('AWSXRayDaemonWriteAccess'),
        ...(isOnNetwork ? [managed('service-role/AWSLambdaVPCAccessExecutionRole')] : []),
      ],
      Policies: [{ PolicyName, PolicyDocument: { Version: '2012-10-17', Statement: [...statements] } }],
    },
  };
}
type Role = ReturnType<typeof createRole>;

/** With which the scheduler of AWS invokes jobs, and nothing else. @param names of the jobs' functions */
export function createScheduleRole(names: readonly string[]) {
  const account = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
  const trust = {
    Effect: 'Allow',
    Principal: { Service: 'scheduler.amazonaws.com' },
    Action: 'sts:AssumeRole',
    Condition: account,
  };
  const arns = names.map((name) => ({
    'Fn::Sub': `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:${name}`,
  }));
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [trust] },
      Policies: [
        {
          PolicyName: 'Invoke',
          PolicyDocument: { Version: '2012-10-17', Statement: [allow(['lambda:InvokeFunction'], arns)] },
        },
      ],
    },
  };
}

/** Roles that functions of all stacks share: they do not depend on the code. */
export const createSharedRoles = (target: DeployTarget): Record<`Role${SharedRole}`, Role> => ({
  RoleNone: createRole('None', [logs(target.stage)]),
  RoleStream: createRole('Stream', [
    logs(target.stage),
    allow(onTable(['DescribeStream', 'GetRecords', 'GetShardIterator']), refer(target, 'StreamArn')),
    allow(onTable(['ListStreams']), '*'),
  ]),
});

/** Starts the jobs of all modules, and no other function. */
const allowStarts = ({ stage }: DeployTarget): Statement =>
  allow(['lambda:InvokeFunction'], {
    'Fn::Sub': `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:${serviceName}-${stage}-*-job-*`,
  });

type RoleFacts = Pick<FunctionDefinition, 'events' | 'fileSystemConfig' | 'environment'> &
  Pick<Job, 'auditsLog'>;

/** What a bundle holds. */
interface BundleFacts {
  /** Its npm packages. */
  packages: ReadonlySet<string>;
  rights: readonly WriteRight[];
}

/** The role of a function: a reference to it, and its resource by name if it belongs to the function's own stack. */
export function findRole(
  { events, fileSystemConfig, environment = {}, auditsLog = false }: RoleFacts,
  target: DeployTarget,
  { packages, rights }: BundleFacts,
): { reference: object; resources: Record<string, Role> } {
  if (events.some((event) => 'stream' in event)) return share(target, 'Stream');
  // Without the database client, a function cannot use the table.
  const isOnTable = packages.has('@aws-sdk/client-dynamodb');
  if (!isOnTable && !fileSystemConfig) return share(target, 'None');
  const written = events.every(isRead) ? limitToGates(rights) : rights;
  const disk = fileSystemConfig && [
    allow(['elasticfilesystem:ClientMount', 'elasticfilesystem:ClientWrite'], fileSystemConfig.arn),
  ];
  const table = isOnTable ? listTableStatements(target, written, auditsLog) : [];
  // Only the route that starts jobs has this SDK.
  const starts = packages.has('@aws-sdk/client-lambda') ? [allowStarts(target)] : [];
  // So have only functions that open storage engines.
  const bucket = packages.has('@aws-sdk/client-s3') ? target.bucket : undefined;
  // The route with the libraries stores the variants that it makes.
  const onlyReads = events.every(isRead) && !hasLibraries({ environment });
  const files = bucket ? listFileRights(bucket, onlyReads) : [];
  const onFiles = files.map(({ actions, resource }) => allow(actions, resource));
  const statements = [logs(target.stage), ...table, ...starts, ...onFiles, ...(disk ?? [])];
  // Functions with the same rights share a role.
  const digest = createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 12);
  const name = `Role${digest}`;
  const role = createRole(disk ? 'Files' : 'Table', statements, disk !== undefined);
  return { reference: { 'Fn::GetAtt': [name, 'Arn'] }, resources: { [name]: role } };
}

const share = (target: DeployTarget, role: SharedRole) => ({
  reference: refer(target, `Role${role}Arn`),
  resources: {},
});

const isRead = (event: FunctionDefinition['events'][number]): boolean =>
  'httpApi' in event &&
  typeof event.httpApi === 'object' &&
  ['GET', 'HEAD'].includes(event.httpApi.method.toUpperCase());
