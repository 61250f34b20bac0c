import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';

// The one file that loads the AWS SDK; client.ts imports it on first use.

export interface ClientOptions extends Pick<DynamoDBClientConfig, 'endpoint' | 'region' | 'credentials'> {
  /**
   * The longest wait for an answer, and between two parts of it, in milliseconds. Two calls in a row that get no
   * answer, with three tries each, fit into the time limit of a function.
   *
   * @default 2700
   */
  timeoutMs?: number;
}

/** Describes each request to a logger and to AWS's statistics: 6 % of the time of a list, and used by nothing here. */
const idleMiddleware = ['loggerMiddleware', 'getUserAgentMiddleware'];

/**
 * A client of DynamoDB that takes and returns plain values. It sends a request up to three times if the failure may
 * pass, so every request must be one that may be repeated.
 */
export function createDocumentClient({ timeoutMs = 2700, ...place }: ClientOptions): DynamoDBDocument {
  const client = new DynamoDBClient({
    ...place,
    maxAttempts: 3,
    retryMode: 'standard',
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 1000,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
      httpAgent: { maxSockets: Number.POSITIVE_INFINITY },
      httpsAgent: { maxSockets: Number.POSITIVE_INFINITY },
    }),
    // Set here, so that the SDK does not search files of profiles for them.
    defaultsMode: 'standard',
    accountIdEndpointMode: 'disabled',
    authSchemePreference: [],
    disableClockSkewCorrection: false,
    endpointDiscoveryEnabled: false,
    ignoreConfiguredEndpointUrls: true,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    userAgentAppId: '',
  });
  for (const name of idleMiddleware) client.middlewareStack.remove(name);
  return DynamoDBDocument.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
