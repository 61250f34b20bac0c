import { computed, ref, shallowRef } from 'vue';
import type { Action, Field } from '#functions/console/description.ts';
import { call } from '../../base/api.ts';
import { useLatest } from '../../base/latest.ts';
import { localise } from '../../base/locale.ts';
import { describeError, describeProblem } from '../../kit/forms/use-form.ts';
import { FileProblem } from '../../kit/sheets/read-sheet.ts';
import { findCellProblem } from './read-lines.ts';
import { checkLines, findRepeated, type ImportRun, keyOf, type LineFault } from './run-import.ts';
import { texts } from './texts.ts';
import { type Table, useFile } from './use-file.ts';

/** In `matched`, columns can be set and the lines wait to be checked. */
type Stage = 'choose' | 'matched' | 'checking' | 'checked' | 'adding' | 'stopped' | 'done';

/** The fields of a line's values. */
const findLineFields = ({ body }: Action): readonly Field[] =>
  body.find(({ name }) => name === 'lines')?.items?.fields?.find(({ name }) => name === 'values')?.fields ??
  [];

/** What the service finds, in the words of a form if it has some, and what only the whole file shows. */
async function findFaults(run: ImportRun, fields: readonly Field[]): Promise<LineFault[]> {
  const values = new Map(run.lines.map((line) => [line.number, line.values]));
  const found = (await checkLines(run)).map((fault) => {
    const field = fields.find(({ name }) => name === fault.field);
    const problem = field && findCellProblem(field, values.get(fault.line)?.[field.name]);
    return problem ? { ...fault, message: describeProblem(problem) } : fault;
  });
  const repeated = findRepeated(run.lines, fields, (n) => localise(texts.repeated, { n }));
  return [...found, ...repeated].toSorted((a, b) => a.line - b.line);
}

/** Reads the file of an import, and checks its lines whenever a column changes. */
export function useCheck(action: Action) {
  const fields = computed(() => findLineFields(action));
  const file = useFile(fields);
  const stage = ref<Stage>('choose');
  const problem = ref('');
  const done = ref(0);
  const faults = shallowRef<readonly LineFault[]>([]);
  const latest = useLatest();

  const createRun = async (signal: AbortSignal): Promise<ImportRun> => ({
    key: await keyOf(file.lines.value),
    lines: file.lines.value,
    send: (batch) => call('POST', action.path, { ...batch }),
    isStopped: () => signal.aborted,
    onProgress: (count) => {
      if (!signal.aborted) done.value = count;
    },
  });
  function refuse(error: unknown): void {
    stage.value = file.table.value ? 'matched' : 'choose';
    problem.value = error instanceof FileProblem ? localise(error.text, error.params) : describeError(error);
  }

  async function take(chosen: File | undefined): Promise<void> {
    if (!chosen || stage.value === 'adding') return;
    [file.table.value, stage.value, problem.value, faults.value] = [undefined, 'choose', '', []];
    const show = (found: Table) => {
      file.table.value = found;
      void check();
    };
    await latest.run(() => file.read(chosen), show, refuse);
  }

  /** Asks the service about all lines, unless a column is missing. */
  async function check(): Promise<void> {
    latest.cancel();
    [problem.value, done.value, faults.value] = [file.problem.value, 0, []];
    stage.value = problem.value === '' ? 'checking' : 'matched';
    if (stage.value === 'matched') return;
    const show = (found: readonly LineFault[]) => {
      [faults.value, stage.value] = [found, 'checked'];
    };
    await latest.run(async (signal) => findFaults(await createRun(signal), fields.value), show, refuse);
  }
  function cancel(): void {
    latest.cancel();
    if (stage.value === 'checking') stage.value = 'matched';
  }
  return { fields, file, stage, problem, done, faults, createRun, take, check, cancel };
}
