import { checkEnvironment, corsOrigins } from '#shared/config/check-environment.ts';
import { createdBucket } from '#shared/config/environment.ts';
import { serviceName } from '../names.ts';
import { describePublicUrl, readPreview } from './deployment.ts';
import { describeEdgeUrl, readEdge } from './edge.ts';
import type { DeployTarget, FilesBucket } from './stack.ts';

/** The part of keys that everybody may read. */
const publicPrefix = 'uploads/';
/** The part of keys that is read by signed links only. */
const privatePrefix = 'private/';

/**
 * The bucket for files that `S3_BUCKET` asks for, if any: `create` for one of the stage's own, or the name of another one. A
 * preview has none, because CloudFormation deletes no bucket with files. @throws EnvironmentError for an invalid name
 */
export function readFilesBucket(
  target: DeployTarget,
  environment: NodeJS.ProcessEnv,
): FilesBucket | undefined {
  const { S3_BUCKET } = environment;
  if (!S3_BUCKET || readPreview(environment)) return undefined;
  checkEnvironment({ S3_BUCKET });
  if (S3_BUCKET !== createdBucket) return { name: S3_BUCKET };
  // All stacks derive it, so that none imports it: a stage can go on with another bucket.
  const name = `${serviceName}-${target.stage}-files-\${AWS::AccountId}-\${AWS::Region}`;
  return { name: { 'Fn::Sub': name }, origins: listOrigins(target, environment) };
}

/** The origins of the pages that upload: those of this site, and those of `CORS_ORIGINS`. */
function listOrigins(target: DeployTarget, environment: NodeJS.ProcessEnv): (string | object)[] {
  const edge = readEdge(environment);
  const site = describePublicUrl(target, environment, edge && describeEdgeUrl(target, edge));
  // The value of a parameter is known after a deployment only.
  const origin = typeof site === 'string' ? (URL.parse(site)?.origin ?? site) : site;
  return [...new Set([origin, ...corsOrigins(environment.CORS_ORIGINS)])];
}

const arnOf = ({ name }: FilesBucket, ending = '') => ({
  'Fn::Sub': [`arn:\${AWS::Partition}:s3:::\${Name}${ending}`, { Name: name }],
});

/** What functions may do with files. @param isRead whether they only read */
export const listFileRights = (bucket: FilesBucket, isRead: boolean) => [
  ...[publicPrefix, privatePrefix].map((prefix) => ({
    actions: isRead ? ['s3:GetObject'] : ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
    resource: arnOf(bucket, `/${prefix}*`),
  })),
  // Without it, S3 answers 403 for a missing object. A condition on the prefix does not hold for that answer.
  { actions: ['s3:ListBucket'], resource: arnOf(bucket) },
];

/** The headers that browsers send with a direct upload (`shared/storage/engines/s3/client.ts`). */
const uploadHeaders = ['content-type', 'if-none-match', 'cache-control'];

/** The stage's own bucket, and who may do what with it (docs/decisions/0059-s3.md). Both stay without their stack. */
export function createFilesBucket({ name, origins }: Required<FilesBucket>) {
  const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
  const properties = {
    BucketName: name,
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    },
    OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
    // Files are public by the policy below, which no upload can change.
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      IgnorePublicAcls: true,
      BlockPublicPolicy: false,
      RestrictPublicBuckets: false,
    },
    CorsConfiguration: {
      CorsRules: [
        {
          AllowedMethods: ['PUT'],
          AllowedOrigins: origins,
          AllowedHeaders: uploadHeaders,
          MaxAge: 600,
        },
      ],
    },
    LifecycleConfiguration: {
      Rules: [
        {
          Id: 'abandoned-uploads',
          Status: 'Enabled',
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
        },
      ],
    },
  };
  return {
    FilesBucket: { Type: 'AWS::S3::Bucket', ...kept, Properties: properties },
    FilesBucketPolicy: { Type: 'AWS::S3::BucketPolicy', ...kept, Properties: createPolicy() },
  };
}

const createPolicy = () => ({
  Bucket: { Ref: 'FilesBucket' },
  PolicyDocument: {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'ReadFiles',
        Effect: 'Allow',
        Principal: '*',
        Action: ['s3:GetObject'],
        Resource: { 'Fn::Sub': `\${FilesBucket.Arn}/${publicPrefix}*` },
      },
      {
        Sid: 'OnlyHttps',
        Effect: 'Deny',
        Principal: '*',
        Action: ['s3:*'],
        Resource: [{ 'Fn::GetAtt': ['FilesBucket', 'Arn'] }, { 'Fn::Sub': `\${FilesBucket.Arn}/*` }],
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
    ],
  },
});
