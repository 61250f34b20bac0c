/**
 * What all promises come to. Where one rejects, the others end first, unlike with `Promise.all`: a function is
 * frozen with its answer, and whatever still goes on is frozen with it.
 *
 * @throws what the first in the list that rejects was rejected with
 */
export async function settleAll<Promises extends readonly unknown[] | []>(
  promises: Promises,
): Promise<{ -readonly [Index in keyof Promises]: Awaited<Promises[Index]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
