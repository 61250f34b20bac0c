/** The one place that loads the AWS SDK for DynamoDB; imported only by `import()`. */
export {
  CreateTableCommand,
  DynamoDBClient,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
export { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
