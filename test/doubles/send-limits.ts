/** At most `count` messages to one mobile in `seconds`. */
export interface SendLimit {
  seconds: number;
  count: number;
}

/** Counts messages by mobile, in sliding windows. */
export function createSendLimits(limits: SendLimit[], now: () => number) {
  const sent = new Map<string, number[]>();
  return {
    /** Counts one more message, unless a limit is reached: then that limit. */
    take(mobile: string): SendLimit | undefined {
      const times = sent.get(mobile) ?? [];
      const reached = limits.find(
        ({ seconds, count }) => times.filter((time) => time > now() - seconds * 1000).length >= count,
      );
      if (!reached) sent.set(mobile, [...times, now()]);
      return reached;
    },
  };
}
