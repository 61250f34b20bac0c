import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writePages } from '#functions/write-tables.ts';
import { hasInstallation } from '../../environment.ts';
import { refresh } from '../../modules/change-state.ts';
import { assertNotRequired, findModules } from '../../modules/find-modules.ts';
import { root } from '../../project.ts';
import { closeUndo, planUndo, type Undoing, undo } from '../../resources/undo.ts';
import { uninstall } from './module-life.ts';

interface UndoOptions {
  dryRun?: boolean | undefined;
  /** Whether nothing is asked before data is removed. */
  yes?: boolean | undefined;
}

/**
 * Undoes `resource:make` or `resource:field`. Safe to repeat.
 *
 * @param at the file of its note
 * @param made a file that the command has made or changed
 * @throws Error before any change, naming the reason
 */
export async function undoNoted(
  at: string,
  made: { file: string; isThere: boolean },
  { dryRun = false, yes = false }: UndoOptions,
): Promise<void> {
  const plan = planUndo(root, at);
  if (!plan) {
    if (made.isThere)
      throw new Error(
        `${made.file} is there, but ${at} is not, which says how it was before: undo it with git, or by hand`,
      );
    console.log(`Nothing to do: ${made.file} is as if the command had not run`);
    return;
  }
  const lines = describe(plan, dryRun);
  if (dryRun) {
    print(plan, 'Would undo', lines);
    return;
  }
  await leaveService(plan, yes);
  undo(root, plan);
  writePages(root, await refresh());
  closeUndo(root, at, plan);
  print(plan, 'Undone', lines);
  if (hasInstallation() && plan.state === undefined)
    console.log('Data stays: records and dictionaries that the database has by now');
}

/** Removes the data of a module that is no more installed afterwards. @throws Error if another module requires it */
async function leaveService({ note, state }: Undoing, yes: boolean): Promise<void> {
  if (state === undefined || state?.enabled) return;
  const modules = await findModules();
  const module = modules.find(({ name }) => name === note.module);
  if (!module) return;
  assertNotRequired(modules, module, ({ installed, enabled }) => installed || enabled);
  if (module.installed && !state?.installed && hasInstallation()) await uninstall(note.module, yes);
}

type Lines = [title: string, files: string[]][];

/** What a plan changes: before it is carried out, because it compares with the files. */
function describe({ note, back, edited, needed }: Undoing, isTrial: boolean): Lines {
  const present = note.files
    .map(({ file }) => file)
    .filter((file) => back.has(file) && existsSync(join(root, file)));
  return [
    [isTrial ? 'Would remove' : 'Removed', present.filter((file) => back.get(file) === undefined)],
    [isTrial ? 'Would put back' : 'Put back', present.filter((file) => back.get(file) !== undefined)],
    [`${isTrial ? 'Would keep' : 'Kept'}, because it was edited since`, edited],
    [`${isTrial ? 'Would keep' : 'Kept'}, because files that stay need it`, needed],
  ];
}

function print({ note, state }: Undoing, verb: string, lines: Lines): void {
  console.log(`${verb}: ${note.command}`);
  for (const [title, files] of lines) if (files.length > 0) console.log([`${title}:`, ...files].join('\n  '));
  if (state !== undefined) console.log(`modules/modules.json: ${note.module} is as it was before`);
}
