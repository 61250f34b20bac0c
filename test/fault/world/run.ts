import type { FaultKind, Store, WireRequest } from '../wire/fault.ts';
import { named } from './name-requests.ts';

/**
 * What a fault reaches: its one request (`once`), the same request however often it is sent (`step`), or
 * everything from it on (`on`).
 */
export const reaches = ['once', 'step', 'on'] as const;
export type Reach = (typeof reaches)[number];

/** A fault at one step of a run. */
export interface Fault {
  store: Store;
  /** Which of the run's requests to that store it begins at, from 0. */
  at: number;
  kind: FaultKind;
  reach: Reach;
}

export const describeFault = ({ store, at, kind, reach }: Fault): string =>
  `${kind} ${reach} at ${store} ${at}`;

/** The requests that one use of the service makes, and the fault that they meet. */
export class Run {
  readonly steps: WireRequest[] = [];
  /** Requests that met the fault. */
  hits = 0;
  readonly #fault: Fault | undefined;
  #signature: string | undefined;

  constructor(fault?: Fault) {
    this.#fault = fault;
  }

  /** Takes a request down and says what becomes of it. */
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
  // A turn of the loop of its own: what two runs ask the cache for in one turn leaves as one request.
  await new Promise((resolve) => setImmediate(resolve));
  try {
    return await named(id, work);
  } finally {
    runs.delete(id);
  }
}

/** What becomes of a request of any run. */
export const decideByRun = (request: WireRequest): FaultKind | undefined =>
  runs.get(request.run ?? '')?.meet(request);
