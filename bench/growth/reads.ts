/** What requests read from the database. */
export interface Reads {
  requests: number;
  /** Items that the database evaluated, answered or not. */
  items: number;
  /** Read capacity units. */
  capacity: number;
}

/** The part of a DynamoDB answer that describes reads. */
export interface Answer {
  /** The answer of a query has it; with a filter it is more than the items. */
  ScannedCount?: number;
  /** The answer of a read by key. */
  Item?: object;
  /** The answer of a read of several keys, by table. */
  Responses?: Record<string, object[]>;
  ConsumedCapacity?: Capacity | Capacity[];
}

interface Capacity {
  CapacityUnits?: number;
}

export const noReads: Reads = { requests: 0, items: 0, capacity: 0 };

/** The reads of one answer; the capacity includes writes if the request writes. */
export function countReads({ ScannedCount, Item, Responses = {}, ConsumedCapacity = [] }: Answer): Reads {
  const byKey = Object.values(Responses).reduce((sum, items) => sum + items.length, Item ? 1 : 0);
  const capacity = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  return { requests: 1, items: ScannedCount ?? byKey, capacity };
}

export const addReads = (a: Reads, b: Reads): Reads => ({
  requests: a.requests + b.requests,
  items: a.items + b.items,
  capacity: a.capacity + b.capacity,
});
