import { setTimeout as sleep } from 'node:timers/promises';
import { type PendingWork, watchPendingWork } from './pending-work.ts';

/** The requests of one invocation to the stores. */
export interface Recording {
  /** Requests by wave: those before any answer, then those after these answers, and so on. */
  waves: string[][];
  /** Requests that were still without an answer when the invocation gave its own, or left after it. */
  unawaited: string[];
  /** Places of timers that are left behind and keep the process alive. */
  timers: string[];
}

/** Holds the requests to all stores. */
export interface Waves {
  /**
   * Passes a request on: at once, or with its wave while an invocation is recorded. Its answer is given when
   * all of the wave have theirs.
   *
   * @param text names the request in a recording
   */
  pass<Answer>(text: string, ask: () => Promise<Answer>): Promise<Answer>;
  record(invoke: () => Promise<unknown>): Promise<Recording>;
  stop(): void;
}

/** How many turns of the event loop nothing may have happened in; each leaves the stores time to work. */
const quietTurns = 8;
const turn = () => sleep(1);

interface Held {
  text: string;
  ask(): Promise<unknown>;
  settle(answer: PromiseSettledResult<unknown>): void;
}

/**
 * Counts sequential round trips, independent of their duration: requests are held until the process has
 * become idle, and are then forwarded together. Functions and proxies are in one process, so that its idle state
 * can be seen.
 */
export function createWaves(pending: PendingWork = watchPendingWork()): Waves {
  let held: Held[] | undefined;
  let arrivals = 0;

  function pass<Answer>(text: string, ask: () => Promise<Answer>): Promise<Answer> {
    const open = held;
    if (!open) return ask();
    arrivals += 1;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const settle = (answer: PromiseSettledResult<unknown>) => {
      if (answer.status === 'fulfilled') resolve(answer.value as Answer);
      else reject(answer.reason);
    };
    open.push({ text, ask, settle });
    return promise;
  }

  /** Waits until no request has arrived and no work is pending for a while. */
  async function rest(isUnderWay: () => boolean): Promise<void> {
    let [turns, known] = [0, arrivals];
    while (turns < quietTurns) {
      await turn();
      const isQuiet = !isUnderWay() && known === arrivals;
      [turns, known] = [isQuiet ? turns + 1 : 0, arrivals];
    }
  }

  async function letThrough(wave: readonly Held[]): Promise<void> {
    const answers = await Promise.allSettled(wave.map(({ ask }) => ask()));
    for (const [index, { settle }] of wave.entries()) {
      const answer = answers[index];
      if (answer) settle(answer);
      // One in each turn, so that later requests leave in the same order every time.
      await turn();
    }
  }

  async function record(invoke: () => Promise<unknown>): Promise<Recording> {
    const open: Held[] = [];
    held = open;
    const waves: string[][] = [];
    let unawaited: string[] | undefined;
    const { running, isUnderWay, listTimers } = pending.watch(invoke);
    const answered = running.finally(() => {
      unawaited = open.map(({ text }) => text);
    });
    answered.catch(() => {});
    try {
      for (;;) {
        await rest(isUnderWay);
        const wave = open.splice(0);
        const texts = wave.map(({ text }) => text);
        if (wave.length === 0 && unawaited) break;
        // Requests that left after the answer and were not held yet.
        if (unawaited) unawaited = [...new Set([...unawaited, ...texts])];
        else if (wave.length > 0) waves.push(texts);
        await letThrough(wave);
      }
      await answered;
      return { waves, unawaited, timers: listTimers() };
    } finally {
      held = undefined;
    }
  }

  return { pass, record, stop: () => pending.stop() };
}
