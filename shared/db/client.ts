import { EnvironmentError, environment } from '#shared/config/environment.ts';
import type { DynamoDb } from './dynamodb/dynamodb.ts';
import { regionalEndpoint } from './dynamodb/regional-endpoint.ts';

let current: Promise<DynamoDb> | undefined;

/**
 * The database's client of this process. It is loaded on first use, so that a request which the cache serves
 * never pays for it.
 */
export function database(): Promise<DynamoDb> {
  current ??= connect();
  return current;
}

// Two calls in a row that nobody answers, three tries each, fit into the time of a function.
const timeoutMs = 2700;

async function connect(): Promise<DynamoDb> {
  const { createDynamoDb } = await import('./dynamodb/dynamodb.ts');
  const { dynamodbEndpoint, aws } = environment();
  if (dynamodbEndpoint) {
    // An engine outside of AWS checks no credentials, but wants to see some.
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    return createDynamoDb({ endpoint: dynamodbEndpoint, region: 'local', credentials, timeoutMs });
  }
  if (!aws.region) throw new EnvironmentError('AWS_REGION is not set, and no DYNAMODB_ENDPOINT either');
  const endpoint = aws.dynamodbEndpoint ?? regionalEndpoint(aws.region);
  return createDynamoDb({ endpoint, region: aws.region, timeoutMs });
}
