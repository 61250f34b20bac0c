import type { FaultKind, Store, WireRequest } from '../wire/fault.ts';
import { named } from './name-requests.ts';

/**
 * The requests that a fault affects: one request (`once`), the same request however often it is sent (`step`), or
 * everything from it on (`on`).
 */
export const reaches = ['once', 'step', 'on'] as const;
export type Reach = (typeof reaches)[number];

/** A fault at one step of a run. */
export interface Fault {
  store: Store;
  /** Index of the first affected request of the run to that store, from 0. */
  at: number;
  kind: FaultKind;
  reach: Reach;
}

export const describeFault = ({ store, at, kind, reach }: Fault): string =>
  `${kind} ${reach} at ${store} ${at}`;

/** The requests of one use of the service, and their fault. */
export class Run {
  readonly steps: WireRequest[] = [];
  /** Requests that met the fault. */
  hits = 0;
  readonly #fault: Fault | undefined;
  #signature: string | undefined;

  constructor(fault?: Fault) {
    this.#fault = fault;
  }

  /** Records a request and decides its fault. */
  meet(request: WireRequest): FaultKind | undefined {
    const index = this.steps.filter(({ store }) => store === request.store).length;
    this.steps.push(request);
    const fault = this.#fault;
    if (!fault || fault.store !== request.store || !this.#reaches(fault, index, request)) return undefined;
    this.hits += 1;
    return fault.kind;
  }

  #reaches({ at, reach }: Fault, index: number, { signature }: WireRequest): boolean {
    if (index === at) this.#signature = signature;
    return (
      index === at || (reach === 'on' && index > at) || (reach === 'step' && signature === this.#signature)
    );
  }
}

const runs = new Map<string, Run>();
let last = 0;

/** Runs `work` so that all its requests are counted as those of `run`. */
export async function during<Result>(run: Run, work: () => Promise<Result>): Promise<Result> {
  last += 1;
  const id = String(last);
  runs.set(id, run);
  // A separate turn of the event loop: commands of two runs in one turn would leave as one request.
  await new Promise((resolve) => setImmediate(resolve));
  try {
    return await named(id, work);
  } finally {
    runs.delete(id);
  }
}

/** Decides the fault of a request of any run. */
export const decideByRun = (request: WireRequest): FaultKind | undefined =>
  runs.get(request.run ?? '')?.meet(request);
