import { runUpload, type UploadMemory, type UploadService } from './run-upload.ts';
import { SpeedMeter } from './speed-meter.ts';
import { type Problem, toProblem } from './upload-problem.ts';
import { initialState, isActive, nextState, type UploadEvent, type UploadState } from './upload-state.ts';

/** One upload as it is shown. It is replaced when something changes. */
export interface UploadItem<Source, Outcome> {
  readonly id: number;
  readonly source: Source;
  readonly sizeBytes: number;
  readonly state: UploadState;
  readonly bytesPerSecond: number;
  readonly outcome?: Outcome;
}

interface Entry<Source, Outcome> {
  item: UploadItem<Source, Outcome>;
  memory: UploadMemory;
  meter: SpeedMeter;
  controller?: AbortController;
}

export interface QueueOptions<Source, Outcome> {
  service: UploadService<Source, Outcome>;
  onChange(items: UploadItem<Source, Outcome>[]): void;
  onDone(outcome: Outcome): void;
  /** Resolves after the time, or rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  now?(): number;
  /** @default 3 */
  atOnce?: number;
}

/** Uploads files, a few at once, in the order in which they were added. */
export class UploadQueue<Source, Outcome> {
  #entries = new Map<number, Entry<Source, Outcome>>();
  #lastId = 0;
  readonly #options: QueueOptions<Source, Outcome>;

  constructor(options: QueueOptions<Source, Outcome>) {
    this.#options = options;
  }

  /** @param problem given if the file is refused before it is sent */
  add(source: Source, sizeBytes: number, problem?: Problem): number {
    const id = ++this.#lastId;
    const state: UploadState = problem ? { phase: 'failed', sentBytes: 0, problem } : initialState;
    const item = { id, source, sizeBytes, state, bytesPerSecond: 0 };
    this.#entries.set(id, { item, memory: {}, meter: new SpeedMeter() });
    this.#changed();
    this.#startNext();
    return id;
  }

  pause(id: number): void {
    this.#stop(id, { name: 'pause' });
  }

  cancel(id: number): void {
    this.#stop(id, { name: 'cancel' });
    // The service removes the bytes of unfinished uploads by itself.
    if (this.#entries.get(id)?.item.state.phase === 'cancelled') this.#entries.delete(id);
    this.#changed();
  }

  resume(id: number): void {
    this.#apply(id, { name: 'resume' });
    this.#startNext();
  }

  retry(id: number): void {
    this.#apply(id, { name: 'retry' });
    this.#startNext();
  }

  /** Tries those again that failed without a connection. */
  retryLost(): void {
    for (const { item } of this.#entries.values())
      if (item.state.phase === 'failed' && item.state.problem?.kind === 'network') this.retry(item.id);
  }

  /** Takes the finished ones off the list. */
  clearFinished(): void {
    for (const [id, { item }] of this.#entries) if (item.state.phase === 'done') this.#entries.delete(id);
    this.#changed();
  }

  #stop(id: number, event: UploadEvent): void {
    const entry = this.#entries.get(id);
    if (!this.#apply(id, event)) return;
    entry?.controller?.abort();
    this.#startNext();
  }

  #startNext(): void {
    const entries = [...this.#entries.values()];
    let free = (this.#options.atOnce ?? 3) - entries.filter(({ item }) => isActive(item.state)).length;
    for (const entry of entries) {
      if (free <= 0) return;
      if (entry.item.state.phase !== 'queued') continue;
      free -= 1;
      void this.#run(entry);
    }
  }

  async #run(entry: Entry<Source, Outcome>): Promise<void> {
    const { item, memory } = entry;
    const controller = new AbortController();
    entry.controller = controller;
    entry.meter.clear();
    const tell = (event: UploadEvent) => !controller.signal.aborted && this.#apply(item.id, event);
    tell({ name: 'begin' });
    try {
      const outcome = await runUpload({
        ...item,
        memory,
        service: this.#options.service,
        signal: controller.signal,
        wait: this.#options.wait,
        onSent: (sentBytes) => tell({ name: 'sent', sentBytes }),
        onCheck: () => tell({ name: 'check' }),
        onWait: (problem) => tell({ name: 'wait', problem }),
      });
      if (!tell({ name: 'done' })) return;
      this.#replace(entry, { outcome });
      this.#options.onDone(outcome);
    } catch (error) {
      tell({ name: 'fail', problem: toProblem(error) });
    }
    this.#startNext();
  }

  /** @returns whether the event changed the state */
  #apply(id: number, event: UploadEvent): boolean {
    const entry = this.#entries.get(id);
    const state = entry && nextState(entry.item.state, event);
    if (!state || state === entry.item.state) return false;
    if (event.name === 'sent') entry.meter.add(event.sentBytes, this.#options.now?.() ?? Date.now());
    this.#replace(entry, {
      state,
      bytesPerSecond: state.phase === 'sending' ? entry.meter.bytesPerSecond : 0,
    });
    return true;
  }

  #replace(entry: Entry<Source, Outcome>, change: Partial<UploadItem<Source, Outcome>>): void {
    entry.item = { ...entry.item, ...change };
    this.#changed();
  }

  #changed(): void {
    this.#options.onChange([...this.#entries.values()].map(({ item }) => item));
  }
}
