import { readText } from '#functions/write-files.ts';
import { createCommand } from '../../command.ts';
import { refresh } from '../../modules/change-state.ts';
import { assertModuleName, findModules, pick } from '../../modules/find-modules.ts';
import { root } from '../../project.ts';
import { addField } from '../../resources/add-field.ts';
import { hasEntry } from '../../resources/edit-module.ts';
import { formatSources } from '../../resources/format.ts';
import { changeOnce, noteFile, writeNoted } from '../../resources/notes.ts';
import { parseField } from '../../resources/parse-field.ts';
import { mayMiss } from '../../resources/render-record.ts';
import { createResourceNames } from '../../resources/resource-names.ts';
import { undoNoted } from './resource-undo.ts';

export const resourceField = createCommand(
  'resource:field',
  'add a field to a resource, also to one that was edited by hand',
)
  .argument('<Module>')
  .argument('<resource>', 'as for resource:make')
  .argument('<field>', 'as for resource:make, in quotation marks')
  .option('--dry-run', 'show the lines that would be added')
  .option('--undo', 'undo the command, for which the name of the field is enough')
  .action(async (module, resource, text, { dryRun = false, undo = false }) => {
    assertModuleName(module);
    const { files } = createResourceNames(module, resource);
    const file = `modules/${module}/${files}/${files}.ts`;
    const source = readText(root, file);
    const [name = ''] = text.trim().split(':');
    const note = noteFile(module, resource, name);
    if (undo) {
      const isThere =
        source !== undefined && naming(file, () => hasEntry(source, 'defineRecord', 'fields', name));
      return undoNoted(note, { file, isThere }, { dryRun });
    }
    pick(await findModules(), module);
    if (source === undefined) throw new Error(`There is no ${file}: resource:make writes it`);
    const field = parseField(text);
    const change = (before: string) =>
      formatSources(new Map([[file, addField(before, field)]])).get(file) ?? before;
    const changed = naming(file, () => changeOnce(root, note, [file, source], change));
    if (dryRun) return show(source, changed);
    const command = `resource:field ${module} ${resource} ${name}`;
    writeNoted(root, note, { command, module }, new Map([[file, changed]]));
    await refresh();
    console.log(`Changed: ${file}`);
    if (!mayMiss(field))
      console.log(
        'Every new record needs it now: add it to the test and the example data. Older records answer null.',
      );
  });

function show(source: string, changed: string): void {
  const before = new Set(source.split('\n'));
  const added = changed.split('\n').filter((line) => !before.has(line));
  console.log(added.join('\n'));
}

/** @throws Error naming the file */
function naming<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
