import { CloudFormationClient, DescribeStackResourceCommand } from '@aws-sdk/client-cloudformation';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';

/** The deployment bucket of a stack. */
export interface Bucket {
  client: S3Client;
  name: string;
}

/** The content of an object, and its version for conditional writes. */
export interface StoredObject {
  body: Uint8Array;
  etag: string;
  metadata: Record<string, string>;
}

/** The bucket that the framework has made for a stack; undefined if the stack has none. */
export async function openBucket(region: string, stackName: string): Promise<Bucket | undefined> {
  const resource = { StackName: stackName, LogicalResourceId: 'ServerlessDeploymentBucket' };
  try {
    const client = new CloudFormationClient({ region });
    const { StackResourceDetail: detail } = await client.send(new DescribeStackResourceCommand(resource));
    const name = detail?.PhysicalResourceId;
    return name ? { client: new S3Client({ region }), name } : undefined;
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError') return undefined;
    throw error;
  }
}

/** @throws Error saying how a bucket that was removed by hand is made again */
function explainMissing(error: unknown, name: string): never {
  if (!(error instanceof Error && error.name === 'NoSuchBucket')) throw error;
  const advice = `It was removed outside of CloudFormation. Run: aws s3 mb s3://${name}`;
  throw new Error(`The deployment bucket ${name} does not exist. ${advice}`, { cause: error });
}

/** Whether the bucket exists: its stack does not know that it was removed by hand. */
export async function isBucketThere({ client, name }: Bucket): Promise<boolean> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: name }));
    return true;
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return false;
    throw error;
  }
}

/** Reads an object; undefined if it does not exist. */
export async function getObject({ client, name }: Bucket, key: string): Promise<StoredObject | undefined> {
  try {
    const { Body, ETag, Metadata } = await client.send(new GetObjectCommand({ Bucket: name, Key: key }));
    const body = (await Body?.transformToByteArray()) ?? new Uint8Array();
    return { body, etag: ETag ?? '', metadata: Metadata ?? {} };
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    return explainMissing(error, name);
  }
}

interface PutOptions {
  /** The version that the write replaces; undefined if the object must not exist. */
  replaces?: string | undefined;
  metadata?: Record<string, string>;
}

/** Writes an object on a condition. @returns false if the object has another version than `replaces` */
export async function putObject(
  { client, name }: Bucket,
  key: string,
  body: Uint8Array | string,
  { replaces, metadata = {} }: PutOptions,
): Promise<boolean> {
  const condition = replaces === undefined ? { IfNoneMatch: '*' } : { IfMatch: replaces };
  const input = { Bucket: name, Key: key, Body: body, Metadata: metadata, ...condition };
  try {
    await client.send(new PutObjectCommand(input));
    return true;
  } catch (error) {
    // 409: another conditional write of this object was first.
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (status === 412 || status === 409) return false;
    return explainMissing(error, name);
  }
}

/** The keys of the objects whose key begins with a prefix. */
export async function listKeys({ client, name }: Bucket, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  try {
    for await (const page of paginateListObjectsV2({ client }, { Bucket: name, Prefix: prefix })) {
      keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
    }
  } catch (error) {
    explainMissing(error, name);
  }
  return keys;
}

/** S3 deletes at most so many objects with one request. */
const deletedTogether = 1_000;

/** Deletes objects. Idempotent. @throws Error naming an object that S3 refused to delete */
export async function deleteObjects({ client, name }: Bucket, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += deletedTogether) {
    const Objects = keys.slice(at, at + deletedTogether).map((Key) => ({ Key }));
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket: name, Delete: { Objects, Quiet: true } }),
    );
    const [first] = Errors;
    if (first) throw new Error(`${first.Key} stays in the bucket ${name}: ${first.Code} ${first.Message}`);
  }
}
