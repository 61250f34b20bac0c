import { AsyncLocalStorage } from 'node:async_hooks';

// Operations take the time of a record, of its ID and of its audit entry from the clock. A parameter for each of them
// would be code that no function needs, so the demo sets the clock of its own process.

/** Milliseconds that are added to the clock. */
const offsets = new AsyncLocalStorage<number>();
const RealDate = Date;
const now = (): number => RealDate.now() + (offsets.getStore() ?? 0);

const ShiftedDate = new Proxy(RealDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});

/** Runs work at another time. Time passes during the work, and other work keeps the real time. */
export function runAt<T>(moment: Date, work: () => Promise<T>): Promise<T> {
  globalThis.Date = ShiftedDate;
  return offsets.run(moment.getTime() - RealDate.now(), work);
}
