import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';

// The only file that loads the AWS SDK; client.ts imports it on first use.

interface ClientOptions extends Pick<DynamoDBClientConfig, 'endpoint' | 'region' | 'credentials'> {
  /**
   * Longest wait for an answer, and between two parts of it, in milliseconds. Two unanswered calls, with three tries
   * each, fit into the time limit of a function.
   *
   * @default 2700
   */
  timeoutMs?: number;
}

/** These describe each request for a logger and for AWS: unused, and 6 % of the time of a list. */
const idleMiddleware = ['loggerMiddleware', 'getUserAgentMiddleware'];

/** A client of DynamoDB for plain values. It may send a request three times, so every request must be idempotent. */
export function createDocumentClient({ timeoutMs = 2700, ...connection }: ClientOptions): DynamoDBDocument {
  const client = new DynamoDBClient({
    ...connection,
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
    // Without these settings the SDK searches profile files for them.
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
