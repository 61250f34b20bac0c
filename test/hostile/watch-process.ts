import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Watches for faults that an answer does not show. */
export interface ProcessWatch {
  /** What has gone wrong since; undefined if nothing has. */
  findFault(): string | undefined;
  /** Bytes in use after a collection. */
  measureHeap(): number;
  stop(): void;
}

/** Everything that all objects inherit. */
const prototypes = [Object, Array, Function, String, Number, Boolean, Promise, Error, Map, Buffer].map(
  ({ prototype }) => prototype as object,
);
// Libraries that load on first use may add globals.
const listAll = (): Set<string> =>
  new Set(
    prototypes.flatMap((each) =>
      Reflect.ownKeys(each).map((key) => `${each.constructor.name}.prototype.${String(key)}`),
    ),
  );

/** Watches this process: uncaught failures, polluted prototypes and memory. */
export function watchProcess(): ProcessWatch {
  const failures: unknown[] = [];
  const note = (error: unknown) => failures.push(error);
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  let expected = listAll();
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  return {
    findFault() {
      const [failure] = failures.splice(0);
      if (failure !== undefined)
        return `leaves uncaught: ${failure instanceof Error ? failure.stack : failure}`;
      const found = listAll();
      const added = [...found.difference(expected)];
      expected = found;
      return added.length > 0 ? `adds to what everything shares: ${added}` : undefined;
    },
    measureHeap() {
      collect();
      return process.memoryUsage().heapUsed;
    },
    stop() {
      process.off('unhandledRejection', note);
      process.off('uncaughtException', note);
    },
  };
}
