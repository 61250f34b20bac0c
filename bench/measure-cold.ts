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
  /** Ours over bare. */
  ratios: { process: Ratio; firstAnswer: Ratio; cpu: Ratio };
}

/** Measures fresh processes, in turn: one of each a round. */
export async function measureCold(
  subject: Subject,
  environment: Record<string, string>,
  rounds: number,
): Promise<ColdResult> {
  const runs = { empty: [] as Cold[], bare: [] as Cold[], ours: [] as Cold[] };
  for (let round = 0; round <= rounds; round++) {
    for (const name of ['empty', 'bare', 'ours'] as const) {
      const args = [subject[name].url, subject.invocationFile];
      const run = await runChild<Cold>({ script: 'cold', args, environment });
      if (run.statusCode !== 200) throw new Error(`${name} answered ${run.statusCode}`);
      // The first round finds the files unread.
      if (round > 0) runs[name].push(run);
    }
  }
  const series = (name: keyof typeof runs, read: (run: Cold) => number) => runs[name].map(read);
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
    },
  };
}
