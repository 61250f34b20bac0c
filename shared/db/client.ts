import type { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { EnvironmentError, environment } from '#shared/config/environment.ts';

let current: Promise<DynamoDBDocument> | undefined;

/** The database client of this process. Its SDK is loaded on first use: a request that the cache answers needs none. */
export function database(): Promise<DynamoDBDocument> {
  current ??= connect();
  return current;
}

async function connect(): Promise<DynamoDBDocument> {
  // Loading takes tens of milliseconds of processor time: let the cache requests of this tick leave first.
  await new Promise((resolve) => setImmediate(resolve));
  const { createDocumentClient } = await import('./sdk.ts');
  const { dynamodbEndpoint, aws } = environment();
  if (dynamodbEndpoint) {
    // A database outside of AWS checks no credentials, but the SDK needs some to sign with.
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    return createDocumentClient({ endpoint: dynamodbEndpoint, region: 'local', credentials });
  }
  if (!aws.region)
    throw new EnvironmentError('AWS_REGION is not set, and DYNAMODB_ENDPOINT is not set either');
  return createDocumentClient({
    region: aws.region,
    ...(aws.dynamodbEndpoint && { endpoint: aws.dynamodbEndpoint }),
  });
}
