import { runChild } from './child.ts';
import { type ByHandler, handlerNames, mapHandlers } from './handlers.ts';
import { compareWith, type Series } from './statistics.ts';
import type { Subject } from './subject.ts';

/** What `bench/child/cold.mjs` measures. */
interface Cold {
  statusCode: number;
  processMs: number;
  importMs: number;
  handlerMs: number;
  cpuMs: number;
  residentBytes: number;
}

/** Figures of each handler, compared with the bare handler; memory compared with the empty one. */
export interface ColdResult {
  /** From the start of the process to the first answer, in milliseconds. */
  processMs: ByHandler<Series>;
  /** From before the import of the bundle to the first answer. */
  firstAnswerMs: ByHandler<Series>;
  /** CPU time of all threads. */
  cpuMs: ByHandler<Series>;
  /** Resident memory at the first answer, in MiB. */
  residentMb: ByHandler<Series>;
}

/**
 * Measures fresh processes, in turn: one of each handler of each subject a round.
 *
 * @returns one result for each subject, in their order
 */
export async function measureCold(subjects: readonly Subject[], rounds: number): Promise<ColdResult[]> {
  const measured = subjects.map((subject) => ({
    subject,
    runs: mapHandlers(subject.bundles, (): Cold[] => []),
  }));
  for (let round = 0; round <= rounds; round++) {
    for (const { subject, runs } of measured) {
      const { bundles, invocationFile, environment } = subject;
      for (const name of handlerNames) {
        const args = [bundles[name].url, invocationFile];
        const run = await runChild<Cold>({ script: 'cold', args, environment });
        if (run.statusCode !== 200) throw new Error(`${name} answered ${run.statusCode}`);
        // In the first round the files are not in the disk cache.
        if (round > 0) runs[name].push(run);
      }
    }
  }
  return measured.map(({ runs }) => sumUp(runs));
}

function sumUp(runs: ByHandler<Cold[]>): ColdResult {
  const compare = (base: 'bare' | 'empty', read: (run: Cold) => number) =>
    compareWith(
      base,
      mapHandlers(runs, (taken) => taken.map(read)),
    );
  return {
    processMs: compare('bare', (run) => run.processMs),
    firstAnswerMs: compare('bare', (run) => run.importMs + run.handlerMs),
    cpuMs: compare('bare', (run) => run.cpuMs),
    residentMb: compare('empty', (run) => run.residentBytes / 1024 ** 2),
  };
}
