import { AsyncLocalStorage, createHook } from 'node:async_hooks';

/**
 * Kinds of work that go on outside of the event loop and come back to it. Random bytes and signatures are left
 * out: their synchronous forms have the same kind, and never report their end.
 */
const kinds = new Set([
  'DERIVEBITSREQUEST',
  'FILEHANDLECLOSEREQ',
  'FSREQCALLBACK',
  'FSREQPROMISE',
  'PBKDF2REQUEST',
  'SCRYPTREQUEST',
]);

/** The pending work of a run. */
export interface WatchedRun<Result> {
  running: Promise<Result>;
  /** Whether files or hashes are under way. */
  isUnderWay(): boolean;
  /** Where timers were set that keep the process alive, and have neither run out nor been cleared. */
  listTimers(): string[];
}

/** Watches the work of this process, so that waiting for its end needs no fixed time. */
export interface PendingWork {
  watch<Result>(run: () => Promise<Result>): WatchedRun<Result>;
  stop(): void;
}

interface Owned {
  work: Set<number>;
  timers: Map<number, { timer: NodeJS.Timeout; place: string }>;
}

export function watchPendingWork(): PendingWork {
  const owners = new AsyncLocalStorage<Owned>();
  const ownerOf = new Map<number, Owned>();
  const endWork = (id: number) => {
    ownerOf.get(id)?.work.delete(id);
  };
  const hook = createHook({
    init(id, kind, _trigger, resource) {
      const owner = owners.getStore();
      if (!owner || !(kind === 'Timeout' || kinds.has(kind))) return;
      ownerOf.set(id, owner);
      if (kind !== 'Timeout') owner.work.add(id);
      else owner.timers.set(id, { timer: resource as NodeJS.Timeout, place: findPlace(new Error().stack) });
    },
    before: endWork,
    destroy(id) {
      endWork(id);
      ownerOf.get(id)?.timers.delete(id);
      ownerOf.delete(id);
    },
  }).enable();

  function watch<Result>(run: () => Promise<Result>): WatchedRun<Result> {
    const owned: Owned = { work: new Set(), timers: new Map() };
    const running = owners.run(owned, run);
    const listTimers = () =>
      [...owned.timers.values()].filter(({ timer }) => timer.hasRef()).map(({ place }) => place);
    return { running, isUnderWay: () => owned.work.size > 0, listTimers };
  }

  return { watch, stop: () => hook.disable() };
}

/** The line of a stack that set a timer: the first that is neither Node's nor this file's. */
function findPlace(stack = ''): string {
  const lines = stack.split('\n').slice(1);
  const line = lines.find((each) => !each.includes('node:') && !each.includes(__filename));
  return line?.trim() ?? 'somewhere';
}
