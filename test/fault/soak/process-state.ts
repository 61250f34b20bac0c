import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Resources of a process. */
export interface ProcessState {
  /** MiB in use once the garbage is collected. */
  heap: number;
  sockets: number;
  timers: number;
}

export function readProcessState(): ProcessState {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const resources = process.getActiveResourcesInfo();
  const count = (name: string) => resources.filter((resource) => resource === name).length;
  return {
    heap: Math.round(process.memoryUsage().heapUsed / 1_048_576),
    sockets: count('TCPSocketWrap'),
    timers: count('Timeout'),
  };
}

/** Growth that counts as a leak. The report and the test doubles keep much less. */
const bounds: ProcessState = { heap: 64, sockets: 100, timers: 100 };

/** The resources above their bounds. */
export function findLeaks(before: ProcessState, after: ProcessState): string[] {
  const names = ['heap', 'sockets', 'timers'] as const;
  return names
    .filter((name) => after[name] - before[name] > bounds[name])
    .map((name) => `${name} grew from ${before[name]} to ${after[name]}`);
}
