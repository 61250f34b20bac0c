import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';

/** The indexes of the table; index `gsiN` has the keys `gsiNpk` and `gsiNsk`. */
const indexNames = ['gsi1', 'gsi2', 'gsi3'] as const;
export type IndexName = (typeof indexNames)[number];
const keyAttributes = ['pk', 'sk', ...indexNames.flatMap((name) => [`${name}pk`, `${name}sk`])];

const keySchema = (prefix: string) => [
  { AttributeName: `${prefix}pk`, KeyType: 'HASH' as const },
  { AttributeName: `${prefix}sk`, KeyType: 'RANGE' as const },
];

/** The only table; the local installer creates it, and `serverless.yml` declares it. */
export const tableSchema = {
  AttributeDefinitions: keyAttributes.map((name) => ({ AttributeName: name, AttributeType: 'S' as const })),
  KeySchema: keySchema(''),
  GlobalSecondaryIndexes: indexNames.map((name) => ({
    IndexName: name,
    KeySchema: keySchema(name),
    Projection: { ProjectionType: 'ALL' as const },
  })),
  BillingMode: 'PAY_PER_REQUEST',
} as const satisfies Omit<CreateTableCommandInput, 'TableName'>;

/** DynamoDB deletes an item some time after this attribute (Unix seconds). */
export const ttlAttribute = 'ttl';
