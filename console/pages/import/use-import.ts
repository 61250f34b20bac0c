import { computed, ref, shallowRef } from 'vue';
import type { Action } from '#functions/console/description.ts';
import { call } from '../../base/api.ts';
import { localise } from '../../base/locale.ts';
import { formatBytes } from '../../fields/format.ts';
import { loadDictionaries } from '../../fields/names/dictionary.ts';
import { textContext } from '../../fields/use-text.ts';
import { decodeText } from '../../kit/files/decode-text.ts';
import { describeError } from '../../kit/forms/use-form.ts';
import { type ImportedLine, matchColumns, readLines } from './read-lines.ts';
import { addLines, checkLines, type ImportRun, keyOf, type LineFault } from './run-import.ts';
import { texts } from './texts.ts';

const largestBytes = 20 * 1024 ** 2;
export const mostLines = 20_000;

/** What an operator can mend in the file. */
class FileProblem extends Error {}

const refuse = (text: keyof typeof texts, params: Record<string, unknown> = {}): FileProblem =>
  new FileProblem(localise(texts[text], params));

/** Spreadsheets of some languages separate by semicolons or tabs. */
export function findDelimiter(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const parts = (separator: string) => first.split(separator).length;
  return [',', ';', '\t'].toSorted((a, b) => parts(b) - parts(a))[0] ?? ',';
}

async function readRows(file: File): Promise<{ text: string; rows: string[][] }> {
  if (file.size > largestBytes) throw refuse('too_large', { size: formatBytes(largestBytes) });
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { parse } = await import('csv-parse/browser/esm/sync');
  let text: string;
  try {
    text = decodeText(bytes).text;
  } catch {
    throw refuse('not_text');
  }
  try {
    return { text, rows: parse(text, { bom: true, relaxColumnCount: true, delimiter: findDelimiter(text) }) };
  } catch (error) {
    throw refuse('csv', { message: error instanceof Error ? error.message : '' });
  }
}

type Stage = 'choose' | 'checking' | 'checked' | 'adding' | 'stopped' | 'done';

/** An import of a file: reading, checking, adding, and going on after a cut. @param onAdded some lines may be there */
export function useImport(action: Action, onAdded: () => void) {
  const fields = computed(() => action.body.find(({ name }) => name === 'lines')?.items?.fields ?? []);
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

  async function read(file: File): Promise<void> {
    const [{ text, rows }] = await Promise.all([
      readRows(file),
      loadDictionaries(fields.value.flatMap(({ dictionary }) => dictionary ?? [])),
    ]);
    const [header = [], ...body] = rows;
    const columns = matchColumns(header, fields.value);
    const missing = columns.missing.map(({ label }) => localise(label)).join(', ');
    if (missing !== '') throw refuse('missing', { names: missing });
    const found = readLines(body, columns, textContext);
    if (found.length === 0) throw refuse('nothing');
    if (found.length > mostLines) throw refuse('too_many', { n: found.length, max: mostLines });
    const ignored = columns.ignored.join(', ');
    note.value = ignored === '' ? '' : localise(texts.ignored, { names: ignored });
    lines.value = found;
    key = await keyOf(text);
  }

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
      await read(file);
      faults.value = await checkLines(createRun());
      stage.value = isStopped ? 'choose' : 'checked';
    } catch (error) {
      stage.value = 'choose';
      problem.value = error instanceof FileProblem ? error.message : describeError(error);
    }
  }

  /** Adds the lines, or goes on where it stopped. */
  async function add(): Promise<void> {
    const from = stage.value === 'stopped' ? done.value : 0;
    [stage.value, problem.value, isStopped] = ['adding', '', false];
    try {
      const sum = await addLines(createRun(), from);
      stage.value = isStopped ? 'stopped' : 'done';
      outcome.value = localise(texts.done, { ...sum });
    } catch (error) {
      stage.value = 'stopped';
      const params = { done: done.value, n: lines.value.length, message: describeError(error) };
      problem.value = localise(texts.failed, params);
    }
    onAdded();
  }

  const stop = (): void => {
    isStopped = true;
  };
  return { fields, stage, problem, note, outcome, done, lines, faults, isBusy, take, add, stop };
}
