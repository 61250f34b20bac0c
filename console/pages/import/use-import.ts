import { computed, ref, shallowRef } from 'vue';
import type { Action, Field } from '#functions/console/description.ts';
import { call } from '../../base/api.ts';
import { localise } from '../../base/locale.ts';
import { describeError } from '../../kit/forms/use-form.ts';
import { FileProblem, readFile } from './read-file.ts';
import type { ImportedLine } from './read-lines.ts';
import {
  addLines,
  beginProgress,
  checkLines,
  findRepeated,
  type ImportRun,
  type LineFault,
} from './run-import.ts';
import { texts } from './texts.ts';

type Stage = 'choose' | 'checking' | 'checked' | 'adding' | 'stopped' | 'done';

/** The fields of a line's values. */
const findLineFields = ({ body }: Action): readonly Field[] =>
  body.find(({ name }) => name === 'lines')?.items?.fields?.find(({ name }) => name === 'values')?.fields ??
  [];

/** What the service finds, and what only the whole file shows. */
async function findFaults(run: ImportRun, fields: readonly Field[]): Promise<LineFault[]> {
  const found = await checkLines(run);
  const repeated = findRepeated(run.lines, fields, (n) => localise(texts.repeated, { n }));
  return [...found, ...repeated].toSorted((a, b) => a.line - b.line);
}

/** An import of a file: reading, checking, adding, and going on after a cut. @param onAdded some lines may be there */
export function useImport(action: Action, onAdded: () => void) {
  const fields = computed(() => findLineFields(action));
  const stage = ref<Stage>('choose');
  const problem = ref('');
  const note = ref('');
  const outcome = ref('');
  const done = ref(0);
  const lines = shallowRef<readonly ImportedLine[]>([]);
  const faults = shallowRef<readonly LineFault[]>([]);
  const isBusy = computed(() => stage.value === 'checking' || stage.value === 'adding');
  let key = '';
  let isStopped = false;
  let progress = beginProgress();

  const createRun = (): ImportRun => ({
    key,
    lines: lines.value,
    send: (batch) => call('POST', action.path, { ...batch }),
    isStopped: () => isStopped,
    onProgress: (count) => {
      done.value = count;
    },
  });

  /** Reads a file, and asks the service about all its lines. */
  async function take(file: File | undefined): Promise<void> {
    if (!file || isBusy.value) return;
    [problem.value, note.value, outcome.value, done.value] = ['', '', '', 0];
    [faults.value, stage.value, isStopped] = [[], 'checking', false];
    try {
      ({ lines: lines.value, key, note: note.value } = await readFile(file, fields.value));
      faults.value = await findFaults(createRun(), fields.value);
      stage.value = isStopped ? 'choose' : 'checked';
    } catch (error) {
      stage.value = 'choose';
      problem.value = error instanceof FileProblem ? error.message : describeError(error);
    }
  }

  /** Adds the lines, or goes on where it stopped. */
  async function add(): Promise<void> {
    if (stage.value !== 'stopped') progress = beginProgress();
    [stage.value, problem.value, isStopped] = ['adding', '', false];
    try {
      await addLines(createRun(), progress);
      stage.value = isStopped ? 'stopped' : 'done';
      outcome.value = localise(texts.done, { ...progress });
    } catch (error) {
      stage.value = 'stopped';
      const params = { done: progress.done, n: lines.value.length, message: describeError(error) };
      problem.value = localise(texts.failed, params);
    }
    onAdded();
  }

  const stop = (): void => {
    isStopped = true;
  };
  return { fields, stage, problem, note, outcome, done, lines, faults, isBusy, take, add, stop };
}
