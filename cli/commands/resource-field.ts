import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommand } from '../command.ts';
import { refresh } from '../modules/change-state.ts';
import { findModules, pick } from '../modules/find-modules.ts';
import { root } from '../project.ts';
import { addField } from '../resources/add-field.ts';
import { formatSources } from '../resources/format.ts';
import { parseField } from '../resources/parse-field.ts';
import { mayMiss } from '../resources/render-record.ts';
import { createResourceNames } from '../resources/resource-names.ts';

export const resourceField = createCommand(
  'resource:field',
  'add a field to a resource, also to one that was edited by hand',
)
  .argument('<Module>')
  .argument('<resource>', 'as for resource:make')
  .argument('<field>', 'as for resource:make, in quotation marks')
  .option('--dry-run', 'show the lines that would be added')
  .action(async (module, resource, text, { dryRun = false }) => {
    pick(await findModules(), module);
    const { files } = createResourceNames(module, resource);
    const field = parseField(text);
    const file = `modules/${module}/${files}/${files}.ts`;
    if (!existsSync(join(root, file))) throw new Error(`There is no ${file}: resource:make writes it`);
    const source = readFileSync(join(root, file), 'utf8');
    const changed = edit(
      file,
      () => formatSources(new Map([[file, addField(source, field)]])).get(file) ?? source,
    );
    if (dryRun) {
      const before = new Set(source.split('\n'));
      console.log(
        changed
          .split('\n')
          .filter((line) => !before.has(line))
          .join('\n'),
      );
      return;
    }
    writeFileSync(join(root, file), changed);
    await refresh();
    console.log(`Changed: ${file}`);
    if (!mayMiss(field))
      console.log(
        'Every new record needs it now: add it to the test and the example data. Older records answer null.',
      );
  });

/** @throws Error naming the file */
function edit(file: string, work: () => string): string {
  try {
    return work();
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
