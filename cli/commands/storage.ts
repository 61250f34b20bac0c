import { Option } from '@commander-js/extra-typings';
import * as z from 'zod/mini';
import { type MigrationProgress, migrateFiles } from '#modules/System/files/migrate-files.ts';
import { storage } from '#modules/System/files/settings.ts';
import { type FileFault, verifyFiles } from '#modules/System/files/verify-files.ts';
import { environment } from '#shared/config/environment.ts';
import { label } from '#shared/schema/marks.ts';
import { readSettings } from '#shared/settings/store.ts';
import { linkStorage } from '#shared/storage/engines/local/folders.ts';
import {
  type EngineName,
  engineNames,
  findEngineName,
  type NamedEngine,
  openEngine,
} from '#shared/storage/engines.ts';
import { createCommand, explain, UsageError } from '../command.ts';
import { useEnvironment } from '../environment.ts';
import { makeFolder } from '../local/data-directory.ts';
import { recordCommand } from '../record-command.ts';
import { confirm } from '../terminal.ts';

const migrateInput = z.object({
  from: z.enum(engineNames),
  to: z.enum(engineNames),
  delete_source: z.boolean(),
});
const timeoutMs = 600_000;
const mebibyte = 1_048_576;
const barWidth = 20;
const endOfLine = '\x1b[K';

interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

const engineOption = <const F extends string>(flags: F, summary: string) =>
  new Option(flags, summary).choices(engineNames).makeOptionMandatory();

/** The command that moves files from one engine to another (`docs/storage.md`). */
export function createStorageMigrate(
  open = openEngine,
  output: Output = process.stdout,
  errorOutput: Output = process.stderr,
) {
  return createCommand('storage:migrate', 'move files between engines; links in texts stay as they are')
    .addOption(engineOption('--from <ENGINE>', 'where the files are'))
    .addOption(engineOption('--to <ENGINE>', 'where the files go'))
    .option('--dry-run', 'only count the files')
    .option('--delete-source', 'delete moved files from the source')
    .action(async ({ from, to, dryRun: isDryRun = false, deleteSource: isSourceDeleted = false }) => {
      if (from === to) throw new UsageError('--from and --to are the same engine');
      useEnvironment();
      const engines = { from: await openOr(open, from), to: await openOr(open, to) };
      const { default: target } = await readSettings(storage);
      const hint = 'set storage.default, and run this again';
      if (findEngineName(target) === from) errorOutput.write(`New files still go to ${from}: ${hint}\n`);
      const stop = listenForStop(errorOutput);
      const options = { ...engines, isSourceDeleted, isStopped: stop.isStopped };
      const run = async () => {
        const plan = await migrateFiles({ ...options, isDryRun: true });
        if (isDryRun || !plan.isComplete) return plan;
        const input = { from, to, delete_source: isSourceDeleted };
        return recordCommand('storage:migrate', migrateInput, input, () =>
          migrateFiles({ ...options, ...createReport(errorOutput, plan) }),
        );
      };
      const result = await run().finally(stop.forget);
      if (errorOutput.isTTY && !isDryRun) errorOutput.write('\n');
      output.write(`${describe(result, isDryRun)}\n`);
      if (!result.isComplete) throw new Error('Stopped before the end: run this again to go on');
      if (result.failed > 0) throw new Error(`${result.failed} failed: run this again to retry them`);
    });
}

async function openOr(open: typeof openEngine, name: EngineName): Promise<NamedEngine> {
  try {
    return await open(name, { timeoutMs });
  } catch (error) {
    throw new Error(`${name}: ${explainCauses(error)}`, { cause: error });
  }
}

/** The message of an error with its causes. */
function explainCauses(error: unknown): string {
  const { cause } = Object(error);
  return cause ? `${explain(error)} (${explainCauses(cause)})` : explain(error);
}

/** The first Ctrl-C stops after the current file, the second at once. */
function listenForStop(output: Output) {
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    output.write('\nStopping after this file\n');
  };
  process.once('SIGINT', stop);
  return { isStopped: () => isStopped, forget: () => void process.off('SIGINT', stop) };
}

const toMebibytes = (bytes: number): string => (bytes / mebibyte).toFixed(1);
const countDone = ({ moved, cleaned, failed }: MigrationProgress): number => moved + cleaned + failed;

function describe({ moved, movedBytes, cleaned, failed }: MigrationProgress, isDryRun: boolean): string {
  return [
    `${isDryRun ? 'Would move' : 'Moved'} ${moved} files, ${toMebibytes(movedBytes)} MiB`,
    ...(cleaned > 0 ? [`source copies of ${cleaned} moved before`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join('; ');
}

/** Shows the progress: a bar on a terminal, else a line for every hundred files. */
function createReport(output: Output, plan: MigrationProgress) {
  const isBar = output.isTTY === true;
  const show = (progress: MigrationProgress) => {
    // Files that are uploaded meanwhile are moved too, but are not in the plan.
    const [done, total] = [countDone(progress), Math.max(countDone(plan), countDone(progress))];
    const bytes = Math.max(plan.movedBytes, progress.movedBytes);
    const amount = `${toMebibytes(progress.movedBytes)} of ${toMebibytes(bytes)} MiB`;
    const line = `${done} of ${total} files, ${amount}${progress.failed > 0 ? `, ${progress.failed} failed` : ''}`;
    output.write(isBar ? `\r${renderBar(total === 0 ? 1 : done / total)} ${line}${endOfLine}` : `${line}\n`);
  };
  show({ moved: 0, movedBytes: 0, cleaned: 0, failed: 0 });
  return {
    onProgress(progress: MigrationProgress) {
      if (isBar || countDone(progress) % 100 === 0) show(progress);
    },
    onFailure: (id: string, error: unknown) =>
      void output.write(`${isBar ? '\r' : ''}${id}: ${explainCauses(error)}${isBar ? endOfLine : ''}\n`),
  };
}

function renderBar(part: number): string {
  const filled = Math.floor(part * barWidth);
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`;
}

const faultTexts: Record<FileFault['kind'], string> = {
  missing: 'the object is missing',
  wrong_size: 'the object has another size than its record',
  extra: 'no record names this object',
};

const verifyInput = z.object({ deleted: z.array(label(z.string())) });

/** The command that compares records of files with the engines (`docs/operations.md`). */
export const createStorageVerify = (open = openEngine) =>
  createCommand(
    'storage:verify',
    'compare the records of files with the objects in the storage engines; reads only, without --delete-orphans',
  )
    .option('--delete-orphans', 'delete objects that no record names, after a question')
    .option('--yes', 'do not ask')
    .action(async ({ deleteOrphans = false, yes = false }) => {
      useEnvironment();
      const { files, faults, unlisted, holders } = await listFaults(open);
      for (const { engine, key, id, kind } of faults)
        console.log([engine, key, ...(id ? [`file ${id}`] : []), faultTexts[kind]].join(': '));
      const count = (kind: FileFault['kind']) => faults.filter((fault) => fault.kind === kind).length;
      const [missing, wrongSize, extra] = [count('missing'), count('wrong_size'), count('extra')];
      console.log(
        `${files} files: ${missing} missing, ${wrongSize} of another size; ${extra} objects without a record`,
      );
      if (unlisted.length > 0)
        console.log(`Objects without a record are not looked for in ${unlisted.join(', ')}`);
      if (deleteOrphans) await deleteAll(open, listOrphans(faults, holders), yes);
      if (missing + wrongSize > 0)
        throw new Error(`${missing + wrongSize} objects are not as their records say`);
    });

async function listFaults(open: typeof openEngine) {
  const faults: FileFault[] = [];
  const found = await verifyFiles(
    (name) => openOr(open, name),
    (fault) => faults.push(fault),
  );
  return { ...found, faults };
}

/** Younger objects may belong to an upload, or to a migration, that is under way. */
const orphanAgeMs = 2 * 86_400_000;

/**
 * Objects that may be deleted: at least a day old, by the day in their key, and in an engine that records name. Another
 * engine, such as the disk of this machine, may belong to another installation.
 */
function listOrphans(faults: readonly FileFault[], holders: ReadonlySet<EngineName>): FileFault[] {
  return faults.filter(({ kind, engine, key }) => {
    const [, year, month, day] = /\/(\d{4})(\d\d)(\d\d)\//.exec(key) ?? [];
    const isOld = Date.now() - Date.parse(`${year}-${month}-${day}`) > orphanAgeMs;
    return kind === 'extra' && holders.has(engine) && isOld;
  });
}

/** Deletes objects after a question, if no record names them then either. */
async function deleteAll(open: typeof openEngine, orphans: readonly FileFault[], isYes: boolean) {
  if (orphans.length === 0) {
    console.log(
      'No objects to delete: those of the last day stay, and those of engines that no record names',
    );
    return;
  }
  const { tableName } = environment();
  const question = `Delete ${orphans.length} objects that no record of the table ${tableName} names? They do not come back.`;
  await confirm(question, isYes);
  const again = await listFaults(open);
  const still = new Set(
    listOrphans(again.faults, again.holders).map(({ engine, key }) => `${engine}: ${key}`),
  );
  const deleted = orphans.filter(({ engine, key }) => still.has(`${engine}: ${key}`));
  const input = { deleted: deleted.map(({ engine, key }) => `${engine}: ${key}`) };
  await recordCommand('storage:verify', verifyInput, input, async () => {
    for (const { engine, key } of deleted) await (await openOr(open, engine)).delete(key);
  });
  console.log(`Deleted ${deleted.length} objects`);
}

export const storageLink = createCommand(
  'storage:link',
  'make the folders of local storage and the public link to its files',
).action(async () => {
  useEnvironment();
  const { storageDir } = environment();
  if (!storageDir) throw new Error('STORAGE_DIR is not set');
  makeFolder(storageDir, 'STORAGE_DIR');
  console.log(linkStorage(storageDir) ? 'public/storage: linked' : 'public/storage: was linked');
});
