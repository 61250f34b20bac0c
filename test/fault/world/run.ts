import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { Socket } from 'node:net';
import type { FaultKind, Store, WireRequest } from '../wire/fault.ts';
import { runHeader } from '../wire/requests.ts';

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

const current = new AsyncLocalStorage<string>();
const runs = new Map<string, Run>();
let last = 0;

// Every request that leaves this process carries the run in whose name it was made, so that many go at a time.
subscribe('http.client.request.created', (message) => {
  const id = current.getStore();
  if (id) (message as { request: ClientRequest }).request.setHeader(runHeader, id);
});

// The client of the cache writes its requests itself, each in one piece.
const pipeline = /^POST \/pipeline HTTP\/1\.1\r\n/;
const { write } = Socket.prototype;
Socket.prototype.write = function (this: Socket, chunk: string | Uint8Array, ...rest: []) {
  const id = typeof chunk === 'string' && current.getStore();
  const tagged = id ? String(chunk).replace(pipeline, (line) => `${line}${runHeader}: ${id}\r\n`) : chunk;
  return write.call(this, tagged, ...rest);
};

/** Runs `work` so that all its requests are counted as those of `run`. */
export async function during<Result>(run: Run, work: () => Promise<Result>): Promise<Result> {
  last += 1;
  const id = String(last);
  runs.set(id, run);
  // A turn of the loop of its own: what two runs ask the cache for in one turn leaves as one request.
  await new Promise((resolve) => setImmediate(resolve));
  try {
    return await current.run(id, work);
  } finally {
    runs.delete(id);
  }
}

/** What becomes of a request of any run. */
export const decideByRun = (request: WireRequest): FaultKind | undefined =>
  runs.get(request.run ?? '')?.meet(request);
