import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { ConditionError } from './errors.ts';

/** The primary key of an item. */
export interface Key {
  pk: string;
  sk: string;
}

export type Item = Record<string, unknown>;

/** What a write replaces, for the history of the record. */
export interface Replaced {
  /** The row before; a condition of the write holds only for this one. */
  old: Item;
  /** The row after; null if it is deleted. */
  now: Item | null;
  /** ISO 8601, never before the change that it follows. */
  at: string;
}

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type WithoutTable<T> = T extends object ? Omit<T, 'TableName'> : T;
/** Makes the error for a condition that does not hold. It may read the database. */
export type Refusal = (cause: ConditionError) => unknown;
/** One write or check of a transaction. */
export type Write = { [Kind in keyof TransactItem]: WithoutTable<TransactItem[Kind]> } & {
  refusal?: Refusal | undefined;
  /** `nothing`: a new row, or the same values again. */
  replaced?: Replaced | 'nothing' | undefined;
};

/**
 * Most items of one transaction: DynamoDB's 100, less one that joins a request and one that joins a tool call. A write
 * that keeps a revision counts twice (`countItems` of `revisions/keep.ts`).
 */
export const transactionLimit = 98;
