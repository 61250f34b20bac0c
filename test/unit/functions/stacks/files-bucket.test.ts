import '../../../support/environment.ts';
import { describe, expect, it } from '@jest/globals';
import { checkResources } from '#cli/package/check-resources.ts';
import { checkTemplate } from '#cli/package/check-stack.ts';
import { describeEnvironment } from '#functions/serverless.ts';
import { readFilesBucket } from '#functions/stacks/files-bucket.ts';
import { createResources } from '#functions/stacks/resources.ts';
import { findRole, type Statement } from '#functions/stacks/roles.ts';
import type { DeployTarget } from '#functions/stacks/stack.ts';

const core = { stage: 'prod', stack: 'core' };
const own = `backend-prod-files-\${AWS::AccountId}-\${AWS::Region}`;
type Resources = Record<string, { Type: string; Properties?: Record<string, unknown> }>;
const read = (environment: NodeJS.ProcessEnv, target: DeployTarget = core) => ({
  ...target,
  bucket: readFilesBucket(target, environment),
});

const resourcesOf = (environment: NodeJS.ProcessEnv, stack = 'core') =>
  createResources(read(environment, { ...core, stack }), {}).Resources;

describe('S3_BUCKET', () => {
  it('asks for no bucket if it is not set, or in a preview', () => {
    expect(readFilesBucket(core, {})).toBeUndefined();
    expect(readFilesBucket(core, { S3_BUCKET: '' })).toBeUndefined();
    expect(readFilesBucket(core, { S3_BUCKET: 'create', PREVIEW: 'own' })).toBeUndefined();
    expect(resourcesOf({})).not.toHaveProperty('FilesBucket');
  });

  it('names another bucket, which no stack creates', () => {
    expect(readFilesBucket(core, { S3_BUCKET: 'files-of-a-site' })).toEqual({ name: 'files-of-a-site' });
    expect(resourcesOf({ S3_BUCKET: 'files-of-a-site' })).not.toHaveProperty('FilesBucket');
  });

  it.each(['Files', 'a', 'a.b.c', '-files', 'x'.repeat(64)])('refuses the name %s', (S3_BUCKET) => {
    expect(() => readFilesBucket(core, { S3_BUCKET })).toThrow('S3_BUCKET is');
  });

  it.each(['core', 'system', 'all'])('gives the functions of %s the name, without an export', (stack) => {
    const target = read({ S3_BUCKET: 'create' }, { ...core, stack });

    expect(describeEnvironment(target)).toMatchObject({ S3_BUCKET: { 'Fn::Sub': own } });
    expect(describeEnvironment({ ...core, stack })).not.toHaveProperty('S3_BUCKET');
    expect(JSON.stringify(target.bucket?.name)).not.toContain('ImportValue');
  });

  it('makes a name that S3 takes, of the longest stage and region', () => {
    const { name } = readFilesBucket({ ...core, stage: 'x'.repeat(10) }, { S3_BUCKET: 'create' }) ?? {};
    const text = String(Object(name)['Fn::Sub'])
      .replace(`\${AWS::AccountId}`, '123456789012')
      .replace(`\${AWS::Region}`, 'ap-southeast-1');

    expect(text).toMatch(/^[a-z0-9-]{3,63}$/);
  });
});

const pickBucket = (resources: Resources): Resources =>
  Object.fromEntries(Object.entries(resources).filter(([name]) => name.startsWith('FilesBucket')));

describe('the bucket of a stage', () => {
  const environment = {
    S3_BUCKET: 'create',
    PUBLIC_URL: 'https://example.com/site',
    CORS_ORIGINS: 'https://a.example.com, https://example.com',
  };
  const resources: Resources = resourcesOf(environment);
  const { FilesBucket, FilesBucketPolicy } = resources;

  it('is what CloudFormation takes', () => {
    expect(checkResources({ Resources: pickBucket(resources) })).toEqual([]);
    const gateway = { HttpApi: { Type: 'AWS::ApiGatewayV2::Api' } };
    expect(checkTemplate({ Resources: { ...resources, ...gateway } }, new Set())).toEqual([]);
  });

  it('stays with its policy if its stack goes', () => {
    const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };

    expect([FilesBucket, FilesBucketPolicy]).toMatchObject([kept, kept]);
    expect(Object.keys(resourcesOf(environment, 'system'))).not.toContain('FilesBucket');
  });

  it('is encrypted, has no rights by ACL, and forgets unfinished parts', () => {
    expect(FilesBucket?.Properties).toMatchObject({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, IgnorePublicAcls: true },
      LifecycleConfiguration: {
        Rules: [{ Status: 'Enabled', AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }],
      },
    });
  });

  it('is read by everybody below uploads/ only, and by https only', () => {
    const { Statement: statements } = Object(FilesBucketPolicy?.Properties?.PolicyDocument);

    expect(statements).toMatchObject([
      { Effect: 'Allow', Principal: '*', Action: ['s3:GetObject'] },
      { Effect: 'Deny', Principal: '*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    ]);
    expect(statements[0].Resource).toEqual({ 'Fn::Sub': `\${FilesBucket.Arn}/uploads/*` });
  });

  it.each([
    [environment, ['https://example.com', 'https://a.example.com']],
    [{ S3_BUCKET: 'create' }, [{ 'Fn::GetAtt': ['HttpApi', 'ApiEndpoint'] }]],
    [{ S3_BUCKET: 'create', PUBLIC_URL: 'parameter' }, ['{{resolve:ssm:/backend/prod/PUBLIC_URL}}']],
  ])('takes uploads of pages of the site and of CORS_ORIGINS: %j', (given, AllowedOrigins) => {
    const bucket: Resources = resourcesOf(given);

    expect(bucket.FilesBucket?.Properties).toMatchObject({
      CorsConfiguration: {
        CorsRules: [
          {
            AllowedMethods: ['PUT'],
            AllowedOrigins,
            AllowedHeaders: ['content-type', 'if-none-match', 'cache-control'],
          },
        ],
      },
    });
  });
});

describe('the role of a function', () => {
  const packages = new Set(['@aws-sdk/client-dynamodb', '@aws-sdk/client-s3']);
  const onBucket = (method: string, environment: NodeJS.ProcessEnv, has = packages): Statement[] => {
    const events = [{ httpApi: { method, path: '/a' } }];
    const { resources } = findRole({ events }, read(environment), { packages: has, rights: [] });
    return Object.values(resources)
      .flatMap(({ Properties }) => Properties.Policies)
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter(({ Action }) => Action.some((action) => action.startsWith('s3:')));
  };
  const arn = (ending: string, name: unknown) => ({
    'Fn::Sub': [`arn:\${AWS::Partition}:s3:::\${Name}${ending}`, { Name: name }],
  });

  it.each([
    ['create', { 'Fn::Sub': own }],
    ['files-of-a-site', 'files-of-a-site'],
  ])('covers the files of the bucket, and no other: %s', (S3_BUCKET, name) => {
    expect(onBucket('POST', { S3_BUCKET })).toEqual([
      {
        Effect: 'Allow',
        Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
        Resource: arn('/uploads/*', name),
      },
      {
        Effect: 'Allow',
        Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
        Resource: arn('/private/*', name),
      },
      { Effect: 'Allow', Action: ['s3:ListBucket'], Resource: arn('', name) },
    ]);
  });

  it('only reads if the function answers GET', () => {
    expect(onBucket('GET', { S3_BUCKET: 'create' }).flatMap(({ Action }) => Action)).toEqual([
      's3:GetObject',
      's3:GetObject',
      's3:ListBucket',
    ]);
  });

  it('holds nothing of S3 without a bucket, or for a function without a storage engine', () => {
    expect(onBucket('POST', {})).toEqual([]);
    expect(onBucket('POST', { S3_BUCKET: 'create' }, new Set(['@aws-sdk/client-dynamodb']))).toEqual([]);
  });
});
