import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { environment } from '#shared/config/environment.ts';

let current: Promise<DynamoDBDocument> | undefined;

/**
 * The document client of this process. The SDK is loaded on first use, so that a request which the cache
 * serves never pays for it.
 */
export function database(): Promise<DynamoDBDocument> {
  current ??= connect();
  return current;
}

async function connect(): Promise<DynamoDBDocument> {
  const { DynamoDBClient, DynamoDBDocument } = await import('./sdk.ts');
  return DynamoDBDocument.from(new DynamoDBClient(clientConfig()), {
    marshallOptions: { removeUndefinedValues: true },
  });
}

/** How this service reaches DynamoDB: bounded waits, three tries in all. */
export function clientConfig(): DynamoDBClientConfig {
  const endpoint = environment().dynamodbEndpoint;
  return {
    endpoint,
    maxAttempts: 3,
    // Said here, none of it is looked for in files of profiles.
    defaultsMode: 'standard',
    retryMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    endpointDiscoveryEnabled: false,
    userAgentAppId: '',
    requestHandler: {
      connectionTimeout: 1000,
      // Until an answer begins, and between its parts. Two calls in a row that nobody answers, three tries each,
      // fit into the time of a function.
      requestTimeout: 2700,
      throwOnRequestTimeout: true,
      socketTimeout: 2700,
    },
    // An engine outside of AWS checks no credentials, but the SDK wants some to sign with.
    ...(endpoint && { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
  };
}
