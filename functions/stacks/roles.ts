import { anchorParameter } from '#shared/audit/anchor.ts';
import { auditPartition } from '#shared/audit/new-entry.ts';
import { type GateFacts, gates } from '#shared/http/gates.ts';
import type { Job } from '#shared/module/module.ts';
import type { FunctionDefinition } from '../function-map.ts';
import { serviceName } from '../names.ts';
import { type PermissionSet, refer, type StackPlace } from './stack.ts';

type Statement = { Effect: 'Allow' | 'Deny'; Action: string[]; Resource: unknown; Condition?: object };

const allow = (Action: string[], Resource: unknown): Statement => ({ Effect: 'Allow', Action, Resource });

const logs = (stage: string): Statement =>
  allow(['logs:CreateLogStream', 'logs:PutLogEvents'], {
    'Fn::Sub': `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:/${serviceName}/${stage}/*:*`,
  });

const tableArn = { 'Fn::GetAtt': ['Table', 'Arn'] };
const withIndexes = [tableArn, { 'Fn::Sub': `\${Table.Arn}/index/*` }];

// No `Scan`, and no changes of the table itself.
const reads = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'];

const table = allow(
  [...reads, 'dynamodb:ConditionCheckItem', 'dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  withIndexes,
);

const leadingKeys = 'dynamodb:LeadingKeys';

/** `ForAllValues` also holds for a request without keys: `Null` refuses that one. */
const onlyKeys = (keys: readonly string[]) => ({
  Condition: { 'ForAllValues:StringLike': { [leadingKeys]: keys }, Null: { [leadingKeys]: 'false' } },
});

const writtenByGates = [...new Set(Object.values<GateFacts>(gates).flatMap(({ writes = [] }) => writes))];

const denyItems = (actions: readonly string[], keys: readonly string[]): Statement => ({
  Effect: 'Deny',
  Action: actions.map((name) => `dynamodb:${name}`),
  Resource: tableArn,
  Condition: { 'ForAnyValue:StringLike': { [leadingKeys]: keys } },
});

// All digests, their chunks, and the end of the chain.
const auditKeys = { entries: auditPartition('*'), digests: 'AUDIT_DIGEST*', counts: 'AUDIT_COUNT*' };
const deletes = ['BatchWriteItem', 'DeleteItem', 'PartiQLDelete'];
const updates = ['UpdateItem', 'PartiQLUpdate'];
const puts = ['PutItem', 'PartiQLInsert'];

/**
 * Entries of the audit log are only added, and counts only changed; DynamoDB itself deletes expired ones. IAM cannot
 * deny a put that replaces an item, but `audit:verify` finds it.
 */
const denyChangesOfEntries = [
  denyItems(deletes, Object.values(auditKeys)),
  denyItems(updates, [auditKeys.entries]),
];
/** Only the jobs of the log write digests. */
const denyChangesOfAudit = [...denyChangesOfEntries, denyItems([...puts, ...updates], [auditKeys.digests])];

/** What is kept outside of the table. */
const anchors = allow(['ssm:GetParameter', 'ssm:PutParameter'], {
  'Fn::Sub': `arn:\${AWS::Partition}:ssm:\${AWS::Region}:\${AWS::AccountId}:parameter${anchorParameter(`\${Table}`, '*')}`,
});

const readTable = [
  allow(reads, withIndexes),
  ...writtenByGates.map(({ actions, keys }) => ({
    ...allow(
      actions.map((name) => `dynamodb:${name}`),
      tableArn,
    ),
    ...onlyKeys(keys),
  })),
];

const statements: Record<PermissionSet, readonly Statement[]> = {
  None: [],
  Read: [...readTable, ...denyChangesOfAudit],
  Table: [table, ...denyChangesOfAudit],
  Files: [table, ...denyChangesOfAudit],
  Audit: [table, anchors, ...denyChangesOfEntries],
  Stream: [
    allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], {
      'Fn::GetAtt': ['Table', 'StreamArn'],
    }),
    allow(['dynamodb:ListStreams'], '*'),
  ],
};

const managed = (name: string) => ({ 'Fn::Sub': `arn:\${AWS::Partition}:iam::aws:policy/${name}` });

/** The role of a permission set. @param accessPointArn of the disk of local storage, if there is one */
export function createRole(set: PermissionSet, stage: string, accessPointArn?: string) {
  const disk = set === 'Files' ? accessPointArn : undefined;
  const mount = disk ? [allow(['elasticfilesystem:ClientMount', 'elasticfilesystem:ClientWrite'], disk)] : [];
  const trust = { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' };
  const Statement = [logs(stage), ...statements[set], ...mount];
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [trust] },
      ManagedPolicyArns: [
        managed('AWSXRayDaemonWriteAccess'),
        ...(disk ? [managed('service-role/AWSLambdaVPCAccessExecutionRole')] : []),
      ],
      Policies: [{ PolicyName: set, PolicyDocument: { Version: '2012-10-17', Statement } }],
    },
  };
}

type RoleFacts = Pick<FunctionDefinition, 'events' | 'fileSystemConfig'> & Pick<Job, 'auditsLog'>;

/** The role of a function. @param packages the npm packages in its bundle */
export const findRole = (definition: RoleFacts, place: StackPlace, packages: ReadonlySet<string>): object =>
  refer(place, `Role${findPermissions(definition, packages)}Arn`);

function findPermissions(definition: RoleFacts, packages: ReadonlySet<string>): PermissionSet {
  const { events, fileSystemConfig, auditsLog } = definition;
  if (events.some((event) => 'stream' in event)) return 'Stream';
  if (auditsLog) return 'Audit';
  if (fileSystemConfig) return 'Files';
  // Without the database client, a function cannot use the table.
  if (!packages.has('@aws-sdk/client-dynamodb')) return 'None';
  // In GET and HEAD routes only the gates write (test/round-trips checks this).
  return events.every(isRead) ? 'Read' : 'Table';
}

const isRead = (event: FunctionDefinition['events'][number]): boolean =>
  'httpApi' in event &&
  typeof event.httpApi === 'object' &&
  ['GET', 'HEAD'].includes(event.httpApi.method.toUpperCase());
