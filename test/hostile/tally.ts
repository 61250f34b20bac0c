import type { FunctionAnswer } from '../support/functions.ts';

/** The results of a run. */
export interface Tally {
  count(operation: string, answer: FunctionAnswer, durationMs: number): void;
  /** The part of the operations that answered with a success, up to 1. */
  reached(): number;
  /** Lines for people. */
  describe(): string;
}

/** @param operations all there are, as method and path */
export function createTally(operations: readonly string[]): Tally {
  const startedAt = performance.now();
  const requests = new Map<string, number>();
  const successes = new Map<string, number>();
  const classes: Record<string, number> = {};
  let slowest = { operation: '', durationMs: 0 };
  let total = 0;
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const unreached = () => operations.filter((each) => !successes.has(each));
  return {
    count(operation, { status }, durationMs) {
      total += 1;
      add(requests, operation);
      // Pages that lead elsewhere succeed with a redirection.
      if (status < 400) add(successes, operation);
      const range = `${Math.floor(status / 100)}xx`;
      classes[range] = (classes[range] ?? 0) + 1;
      if (durationMs > slowest.durationMs) slowest = { operation, durationMs };
    },
    reached: () => 1 - unreached().length / operations.length,
    describe() {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      const byClass = Object.entries(classes)
        .sort()
        .map(([range, count]) => `${range} ${count}`);
      const reached = operations.length - unreached().length;
      return [
        `${total} requests in ${seconds} s: ${byClass.join(', ')}`,
        `${reached} of ${operations.length} operations answered a success`,
        ...unreached().map((each) => `  none of ${requests.get(each) ?? 0}: ${each}`),
        `slowest: ${slowest.durationMs.toFixed(0)} ms, ${slowest.operation}`,
      ].join('\n');
    },
  };
}
