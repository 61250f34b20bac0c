import { ref } from 'vue';
import type { Action, Field } from '#functions/console/description.ts';
import { localise } from '../../base/locale.ts';
import { describeError } from '../../kit/forms/use-form.ts';
import { addLines, beginProgress } from './run-import.ts';
import { texts } from './texts.ts';
import { useCheck } from './use-check.ts';

/** An import of a file: reading, checking, adding, and going on after a cut. @param onAdded some lines may be there */
export function useImport(action: Action, onAdded: () => void) {
  const checked = useCheck(action);
  const { file, stage, problem } = checked;
  const outcome = ref('');
  let running = new AbortController();
  let progress = beginProgress();

  /** Adds the lines, or goes on where it stopped. */
  async function add(): Promise<void> {
    if (stage.value !== 'stopped') progress = beginProgress();
    [stage.value, problem.value, running] = ['adding', '', new AbortController()];
    try {
      await addLines(await checked.createRun(running.signal), progress);
      stage.value = running.signal.aborted ? 'stopped' : 'done';
      outcome.value = localise(texts.done, { ...progress });
    } catch (error) {
      stage.value = 'stopped';
      const params = { done: progress.done, n: file.lines.value.length, message: describeError(error) };
      problem.value = localise(texts.failed, params);
    }
    onAdded();
  }
  function stop(): void {
    running.abort();
    checked.cancel();
  }
  /** @param field undefined leaves the column out */
  function setColumn(at: number, field: Field | undefined): void {
    file.setColumn(at, field);
    void checked.check();
  }
  return { ...checked, outcome, add, setColumn, stop };
}
