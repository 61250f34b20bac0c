import { type GateFacts, gates } from '#shared/http/gates.ts';
import { serviceName } from '../names.ts';
import type { PermissionSet } from './names.ts';

type Statement = { Effect: 'Allow'; Action: string[]; Resource: unknown; Condition?: object };

const allow = (Action: string[], Resource: unknown): Statement => ({ Effect: 'Allow', Action, Resource });

const logs = (stage: string): Statement =>
  allow(['logs:CreateLogStream', 'logs:PutLogEvents'], {
    'Fn::Sub': `arn:\${AWS::Partition}:logs:\${AWS::Region}:\${AWS::AccountId}:log-group:/${serviceName}/${stage}/*:*`,
  });

const tableArn = { 'Fn::GetAtt': ['Table', 'Arn'] };
const withIndexes = [tableArn, { 'Fn::Sub': `\${Table.Arn}/index/*` }];

// No `Scan`, and nothing of the table itself.
const reads = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'];

const table = allow(
  [...reads, 'dynamodb:ConditionCheckItem', 'dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  withIndexes,
);

const writtenByGates = [...new Set(Object.values<GateFacts>(gates).flatMap(({ writes = [] }) => writes))];

const readTable = [
  allow(reads, withIndexes),
  // Logging out, which is a GET, ends the session that its gate writes.
  {
    ...allow(['dynamodb:DeleteItem', 'dynamodb:UpdateItem'], tableArn),
    Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': writtenByGates } },
  },
];

const stream = [
  allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], {
    'Fn::GetAtt': ['Table', 'StreamArn'],
  }),
  allow(['dynamodb:ListStreams'], '*'),
];

const statements: Record<PermissionSet, (accessPointArn?: string) => Statement[]> = {
  None: () => [],
  Read: () => readTable,
  Table: () => [table],
  Files: (accessPointArn) => [
    table,
    ...(accessPointArn
      ? [allow(['elasticfilesystem:ClientMount', 'elasticfilesystem:ClientWrite'], accessPointArn)]
      : []),
  ],
  Stream: () => stream,
};

const managed = (name: string) => ({ 'Fn::Sub': `arn:\${AWS::Partition}:iam::aws:policy/${name}` });

/**
 * The role of a permission set, shared by every function that needs no more and no less.
 *
 * @param accessPointArn of the disk of local storage, where the deployment has one
 */
export function createRole(set: PermissionSet, stage: string, accessPointArn?: string) {
  const isInNetwork = set === 'Files' && accessPointArn !== undefined;
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
        ],
      },
      ManagedPolicyArns: [
        managed('AWSXRayDaemonWriteAccess'),
        ...(isInNetwork ? [managed('service-role/AWSLambdaVPCAccessExecutionRole')] : []),
      ],
      Policies: [
        {
          PolicyName: set,
          PolicyDocument: {
            Version: '2012-10-17',
            Statement: [logs(stage), ...statements[set](accessPointArn)],
          },
        },
      ],
    },
  };
}
