/** A limit of the platform, and how to raise it. */
export interface Limit {
  name: string;
  /** Per second, or concurrent. */
  most: number;
  /** How an operator raises it. */
  movedBy: string;
}

/**
 * Published defaults on 2026-11-22. Sources: "Amazon API Gateway quotas", "Lambda quotas", "Quotas in Amazon
 * DynamoDB" and "Best practices for partition keys" at docs.aws.amazon.com; upstash.com/docs/redis/overall/billing.
 */
export const limits = {
  gateway: {
    name: 'gateway, requests a second',
    most: 10_000,
    movedBy: 'Service Quotas: "Throttle rate" of API Gateway (2,500 in some regions)',
  },
  concurrency: {
    name: 'Lambda, functions at a time',
    most: 1_000,
    movedBy: 'Service Quotas: "Concurrent executions"; more memory makes password hashing shorter',
  },
  commands: {
    name: 'Upstash, commands a second',
    most: 10_000,
    movedBy: 'a larger plan of Upstash: pay as you go ends here, its enterprise plans are agreed upon',
  },
  tableWrites: {
    name: 'table and indexes, write units a second',
    most: 40_000,
    movedBy: 'Service Quotas: "Table-level write throughput limit"; warm the table up before a peak',
  },
  tableReads: {
    name: 'table and indexes, read units a second',
    most: 40_000,
    movedBy: 'Service Quotas: "Table-level read throughput limit"; warm the table up before a peak',
  },
  keyWrites: {
    name: 'one key, write units a second',
    most: 1_000,
    movedBy: 'more partitions: `spreadCount`, `userCounterShards`, `uploadPartitions`',
  },
  keyReads: {
    name: 'one key, read units a second',
    most: 3_000,
    movedBy: 'a cache before the read; more partitions',
  },
  itemTransactions: {
    name: 'one item, transactions a second',
    most: 100,
    movedBy: 'more items to share the work: `userCounterShards`',
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;
