/**
 * Runs work with a time limit. At the limit its signal is aborted, and its later result or error is ignored.
 *
 * @param limitMs in milliseconds; 0 or less fails at once
 * @param expire creates the error for the limit, which is also the signal's reason
 */
export async function runWithin<T>(
  limitMs: number,
  expire: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (limitMs <= 0) throw expire();
  const controller = new AbortController();
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = expire();
    // Reject before aborting, so that work which ends on the signal cannot win the race.
    reject(error);
    controller.abort(error);
  }, limitMs);
  try {
    return await Promise.race([work(controller.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}
