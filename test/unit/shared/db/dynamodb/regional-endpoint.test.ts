import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { regionalEndpoint } from '#shared/db/dynamodb/regional-endpoint.ts';

const { config } = new DynamoDBClient({ region: 'local' });

test.each(['us-east-1', 'ap-southeast-1', 'cn-north-1', 'cn-northwest-1', 'us-gov-west-1', 'eusc-de-east-1'])(
  'is in %s where the SDK finds it',
  (region) => {
    const { url } = config.endpointProvider({ Region: region });

    expect(new URL(regionalEndpoint(region)).href).toBe(url.href);
  },
);
