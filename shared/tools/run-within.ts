/**
 * Runs a piece of work for a limited time. What it does after that is nobody's concern any more: its signal
 * is aborted, and neither its answer nor its failure is heard.
 *
 * @param limitMs in milliseconds; 0 or less is over before it began
 * @param expire makes the error that ends it, which is the signal's reason too
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
    // Before the signal, so that work which ends by it cannot be first.
    reject(error);
    controller.abort(error);
  }, limitMs);
  try {
    return await Promise.race([work(controller.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}
