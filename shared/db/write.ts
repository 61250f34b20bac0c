import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { ConditionError } from './errors.ts';

/** The primary key of an item. */
export interface Key {
  pk: string;
  sk: string;
}

export type Item = Record<string, unknown>;

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type WithoutTable<T> = T extends object ? Omit<T, 'TableName'> : T;
/** Makes the error for a condition that does not hold. It may read the database. */
export type Refusal = (cause: ConditionError) => unknown;
/** One write or check of a transaction. */
export type Write = { [Kind in keyof TransactItem]: WithoutTable<TransactItem[Kind]> } & {
  refusal?: Refusal | undefined;
};

/** Most writes of one transaction: DynamoDB's 100, less one that joins a request and one that joins a tool call. */
export const transactionLimit = 98;
