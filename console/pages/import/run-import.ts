import type { Field } from '#functions/console/description.ts';
import { fold } from '#shared/schema/search.ts';
import type { ImportedLine } from './read-lines.ts';

/** Lines of one request: the service takes no more. */
const batchSize = 100;

/** What is wrong with a line. */
export interface LineFault {
  line: number;
  /** Name of the field; empty if the whole line is refused. */
  field: string;
  message: string;
}

/**
 * Lines whose text an earlier line of the file has, in a field that no two records may share. The service sees only the
 * lines of one request.
 *
 * @param describe words the fault, by the number of the earlier line
 */
export const findRepeated = (
  lines: readonly ImportedLine[],
  fields: readonly Field[],
  describe: (first: number) => string,
): LineFault[] =>
  fields
    .filter(({ isUnique }) => isUnique)
    .flatMap(({ name }) => {
      const found = new Map<string, number>();
      return lines.flatMap(({ number, values: { [name]: value } }) => {
        if (value === undefined) return [];
        const folded = fold(String(value));
        const first = found.get(folded);
        if (first !== undefined) return [{ line: number, field: name, message: describe(first) }];
        found.set(folded, number);
        return [];
      });
    });

interface Batch {
  key: string;
  check: boolean;
  lines: readonly { line: number; values: Record<string, unknown> }[];
}

export interface ImportRun {
  key: string;
  lines: readonly ImportedLine[];
  send(batch: Batch): Promise<{ added: number; present: number }>;
  isStopped(): boolean;
  onProgress(done: number): void;
}

/** Asks the service about all lines; nothing is written. @throws ApiError for what is no fault of a line */
export async function checkLines({
  key,
  lines,
  send,
  isStopped,
  onProgress,
}: ImportRun): Promise<LineFault[]> {
  const faults: LineFault[] = [];
  for (let at = 0; at < lines.length && !isStopped(); at += batchSize) {
    let rest = lines.slice(at, at + batchSize);
    // The service names values of a wrong form first, and then those of the other lines that name nothing.
    for (let found = await check(rest); found.length > 0; found = await check(rest)) {
      faults.push(...found);
      const wrong = new Set(found.map(({ line }) => line));
      rest = rest.filter(({ number }) => !wrong.has(number));
    }
    onProgress(Math.min(at + batchSize, lines.length));
  }
  return faults.toSorted((a, b) => a.line - b.line);

  async function check(batch: readonly ImportedLine[]): Promise<LineFault[]> {
    if (batch.length === 0) return [];
    try {
      await send({ key, check: true, lines: toSent(batch) });
      return [];
    } catch (error) {
      const found = toFaults(error, batch);
      if (found.length === 0) throw error;
      return found;
    }
  }
}

const toSent = (batch: readonly ImportedLine[]): Batch['lines'] =>
  batch.map(({ number, values }) => ({ line: number, values }));

/** How far an import came. */
export interface Progress {
  /** Lines that the service has taken. */
  done: number;
  /** Those of them that were added. */
  added: number;
  /** Those that were there before. */
  present: number;
}

/** The progress of an import that has not begun. */
export const beginProgress = (): Progress => ({ done: 0, added: 0, present: 0 });

/**
 * Adds all lines that are not done. Lines that were added before are left alone, so it may be repeated from the
 * beginning.
 *
 * @param progress of the run before; advances with each answer, so it is right after a failure too
 * @throws the error of the request that failed
 */
export async function addLines(
  { key, lines, send, isStopped, onProgress }: ImportRun,
  progress: Progress,
): Promise<void> {
  while (progress.done < lines.length && !isStopped()) {
    const batch = lines.slice(progress.done, progress.done + batchSize);
    const { added, present } = await send({ key, check: false, lines: toSent(batch) });
    progress.done += batch.length;
    progress.added += added;
    progress.present += present;
    onProgress(progress.done);
  }
}

/** The faults of a refused request, by line and field; none for any other error. */
function toFaults(error: unknown, batch: readonly ImportedLine[]): LineFault[] {
  const { errors = [] }: { errors?: readonly { path: string; message: string }[] } = Object(error);
  return errors.flatMap(({ path, message }) => {
    const [, index, field = ''] = /^body\.lines\.(\d+)(?:\.values(?:\.(.+))?)?$/.exec(path) ?? [];
    const line = index === undefined ? undefined : batch[Number(index)];
    return line ? [{ line: line.number, field, message }] : [];
  });
}

/** Names a file by its lines: a repeated import of the same ones adds none twice, also from another kind of file. */
export async function keyOf(lines: readonly ImportedLine[]): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(lines)));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
