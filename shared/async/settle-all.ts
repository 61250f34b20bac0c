/**
 * Like `Promise.all`, but rejects, for the first in the list that rejected, only when all promises have ended: a
 * function is frozen with its answer, and so is any work that still runs.
 */
export async function settleAll<Promises extends readonly unknown[] | []>(
  promises: Promises,
): Promise<{ -readonly [Index in keyof Promises]: Awaited<Promises[Index]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
