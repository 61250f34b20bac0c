import { settleAll } from '#shared/async/settle-all.ts';

/**
 * The outcomes of a work for each of some values, in their order.
 *
 * @param atOnce how many are under way at a time, from 1
 */
export async function mapConcurrently<Value, Outcome>(
  values: readonly Value[],
  atOnce: number,
  work: (value: Value) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes = new Map<number, Outcome>();
  const rest = values.entries();
  // All workers take from the one iterator.
  const worker = async () => {
    for (const [index, value] of rest) outcomes.set(index, await work(value));
  };
  await settleAll(Array.from({ length: atOnce }, worker));
  return [...outcomes].sort(([a], [b]) => a - b).map(([, outcome]) => outcome);
}
