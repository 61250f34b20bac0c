import { type EngineName, engineNames } from '#shared/config/storage.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { openEngine } from '#shared/files/engines/open-engine.ts';
import { type MigrationProgress, migrateFiles } from '#shared/files/migrate/migrate-files.ts';
import { createTranslate } from '#shared/http/messages.ts';
import { storage } from '#shared/settings/groups/storage.ts';
import { readSettings } from '#shared/settings/store.ts';
import type { StorageEngine } from '#shared/storage/engine.ts';
import { type Command, defineCommand, UsageError } from '../command.ts';

const engineOption = { type: 'string', value: 'ENGINE', isRequired: true } as const;
// A large file over a slow line.
const timeoutMs = 600_000;
const mebibyte = 1_048_576;

/** What the command prints on. */
export interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

export interface StorageMigrateOptions {
  open?: typeof openEngine;
  output?: Output;
}

/** The command that moves files from one engine to another; see `docs/storage.md`. */
export function createStorageMigrate({
  open = openEngine,
  output = process.stdout,
}: StorageMigrateOptions = {}): Command {
  return defineCommand({
    summary: 'move files between engines; links in texts stay, so the source is kept unless told otherwise',
    options: {
      from: { ...engineOption, summary: 'where they lie' },
      to: { ...engineOption, summary: 'where they shall lie' },
      'dry-run': { type: 'boolean', default: false, summary: 'only tell what there is to move' },
      'delete-source': { type: 'boolean', default: false, summary: 'delete what has been moved' },
    },
    async run({ values, openStores }) {
      const { 'dry-run': isDryRun, 'delete-source': isSourceDeleted } = values;
      const [from, to] = [readEngine('from', values.from), readEngine('to', values.to)];
      if (from === to) throw new UsageError('--from and --to are the same engine');
      openStores();
      const engines = { from: await openOr(open, from), to: await openOr(open, to) };
      if (((await readSettings(storage)).default || 'local') === from) {
        output.write(`New files still go to ${from}: set storage.default, and run this again\n`);
      }
      const report = createReport(output, isDryRun);
      const stop = listenForStop(output);
      const result = await migrateFiles({
        ...engines,
        isDryRun,
        isSourceDeleted,
        ...report,
        ...stop,
      }).finally(stop.forget);
      report.finish(result);
      if (!result.isComplete) throw new Error('Stopped before the end: run this again to go on');
      if (result.failed > 0) throw new Error(`${result.failed} failed: run this again to retry them`);
    },
  });
}

export const storageMigrate = createStorageMigrate();

function readEngine(option: string, given: string | undefined): EngineName {
  const engine = engineNames.find((name) => name === given);
  if (!engine) throw new UsageError(`--${option} takes one of ${engineNames.join(', ')}`);
  return engine;
}

async function openOr(open: typeof openEngine, name: EngineName): Promise<StorageEngine> {
  try {
    return await open(name, { timeoutMs });
  } catch (error) {
    throw new Error(`${name}: ${explain(error)}`, { cause: error });
  }
}

/** The message of an error, and what was underneath: whoever runs commands may know it. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error instanceof AppError ? createTranslate('en')(error.code, error.params) : error.message;
  return error.cause ? `${message} (${explain(error.cause)})` : message;
}

/** Ctrl-C ends after the current file; pressed again, at once. */
function listenForStop(output: Output) {
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    output.write('\nStopping after this file\n');
  };
  process.once('SIGINT', stop);
  return { isStopped: () => isStopped, forget: () => void process.off('SIGINT', stop) };
}

function createReport(output: Output, isDryRun: boolean) {
  const verb = isDryRun ? 'Would move' : 'Moved';
  const describe = ({ moved, movedBytes, cleaned, failed }: MigrationProgress) =>
    [
      `${verb} ${moved} files, ${(movedBytes / mebibyte).toFixed(1)} MiB`,
      ...(cleaned > 0 ? [`source copies of ${cleaned} moved before`] : []),
      ...(failed > 0 ? [`${failed} failed`] : []),
    ].join('; ');
  const [begin, end] = output.isTTY ? ['\r', '\x1b[K'] : ['', '\n'];
  const show = (progress: MigrationProgress) => output.write(begin + describe(progress) + end);
  return {
    onProgress(progress: MigrationProgress) {
      const { moved, cleaned, failed } = progress;
      if (output.isTTY || (moved + cleaned + failed) % 100 === 0) show(progress);
    },
    onFailure: (id: string, error: unknown) =>
      void output.write(`${begin}${id}: ${explain(error)}${output.isTTY ? '\x1b[K' : ''}\n`),
    finish(progress: MigrationProgress) {
      show(progress);
      if (output.isTTY) output.write('\n');
    },
  };
}
