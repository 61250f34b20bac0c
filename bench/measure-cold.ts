import { runChild } from './child.ts';
import { compare, type Ratio, type Summary, summarize } from './statistics.ts';
import type { Subject } from './subject.ts';

/** What `bench/child/cold.mjs` measures. */
interface Cold {
  statusCode: number;
  processMs: number;
  importMs: number;
  handlerMs: number;
  cpuMs: number;
}

export interface ColdResult {
  /** From the start of the process to the first answer, in milliseconds. */
  processMs: Record<'empty' | 'bare' | 'ours', Summary>;
  /** From before the import of the bundle to the first answer. */
  firstAnswerMs: Record<'empty' | 'bare' | 'ours', Summary>;
  /** The part of it that is the import. */
  importMs: Record<'empty' | 'bare' | 'ours', Summary>;
  cpuMs: Record<'empty' | 'bare' | 'ours', Summary>;
  /** Ours over bare; `floor`: the process with ours over the one with an empty handler. */
  ratios: { process: Ratio; firstAnswer: Ratio; cpu: Ratio; floor: Ratio };
}

type Runs = Record<'empty' | 'bare' | 'ours', Cold[]>;

/**
 * Measures fresh processes, in turn: one of each handler of each subject a round.
 *
 * @returns one result for each subject, in their order
 */
export async function measureCold(
  subjects: readonly Subject[],
  environment: Record<string, string>,
  rounds: number,
): Promise<ColdResult[]> {
  const measured = subjects.map((subject) => ({ subject, runs: { empty: [], bare: [], ours: [] } as Runs }));
  for (let round = 0; round <= rounds; round++) {
    for (const { subject, runs } of measured) {
      for (const name of ['empty', 'bare', 'ours'] as const) {
        const args = [subject[name].url, subject.invocationFile];
        const run = await runChild<Cold>({ script: 'cold', args, environment });
        if (run.statusCode !== 200) throw new Error(`${name} answered ${run.statusCode}`);
        // The first round finds the files unread.
        if (round > 0) runs[name].push(run);
      }
    }
  }
  return measured.map(({ runs }) => sumUp(runs));
}

function sumUp(runs: Runs): ColdResult {
  const series = (name: keyof Runs, read: (run: Cold) => number) => runs[name].map(read);
  const summaries = (read: (run: Cold) => number) => ({
    empty: summarize(series('empty', read)),
    bare: summarize(series('bare', read)),
    ours: summarize(series('ours', read)),
  });
  const ratio = (read: (run: Cold) => number) => compare(series('ours', read), series('bare', read));
  const firstAnswer = (run: Cold) => run.importMs + run.handlerMs;
  return {
    processMs: summaries((run) => run.processMs),
    firstAnswerMs: summaries(firstAnswer),
    importMs: summaries((run) => run.importMs),
    cpuMs: summaries((run) => run.cpuMs),
    ratios: {
      process: ratio((run) => run.processMs),
      firstAnswer: ratio(firstAnswer),
      cpu: ratio((run) => run.cpuMs),
      floor: compare(
        series('ours', (run) => run.processMs),
        series('empty', (run) => run.processMs),
      ),
    },
  };
}
