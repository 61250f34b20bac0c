import { discover } from '#functions/discover/discover.ts';
import { readModuleStates } from '#functions/discover/module-states.ts';
import { readText } from '#functions/write-files.ts';
import { writePages } from '#functions/write-tables.ts';
import { createCommand, UsageError } from '../../command.ts';
import { hasInstallation } from '../../environment.ts';
import { changeState } from '../../modules/change-state.ts';
import { findModules } from '../../modules/find-modules.ts';
import { root } from '../../project.ts';
import { formatSources } from '../../resources/format.ts';
import { noteFile, writeNoted } from '../../resources/notes.ts';
import { parseFields } from '../../resources/parse-field.ts';
import { type Plan, planResource } from '../../resources/plan-resource.ts';
import { createResourceNames } from '../../resources/resource-names.ts';
import { assertName } from './module-files.ts';
import { enable } from './module-life.ts';
import { undoNoted } from './resource-undo.ts';

const help = `
A field is name:type, then flags and a label, in quotation marks:
  "name:text(100) search label(名称|Name)" price:money "status:dict(shop_status) filter" cover:image "owner:admin filter"
Types: text(100) multiline(2000) integer(0,1000) boolean money(CNY) date time dict(type_key) image file files(5) html
  admin user status. Flags: filter (at most two), search, unique, optional, required.
npm run records renews the recorded sizes of functions, which npm run package compares.`;

export const resourceMake = createCommand(
  'resource:make',
  'write a resource: its record, routes, page in the console, tests, example data; also the module, if it is new',
)
  .argument('<Module>', 'in PascalCase')
  .argument('<resource>', 'one record, as in order_item')
  .argument('[fields...]', 'see below')
  .option('--title <zh|en|plural>', 'what people call it: "商品|product|products"')
  .option('--open', 'also a list and a detail that everybody may read')
  .option('--own', "also a user's own records; it needs a field of type user that is a filter")
  .option('--tools', 'also tools for assistants')
  .option('--dry-run', 'show what would be written')
  .option('--undo', 'undo the command, which needs no fields then; files that were edited since stay')
  .option('--yes', 'with --undo: do not ask before the data of a new module is removed')
  .addHelpText('after', help)
  .action(async (module, resource, sources, options) => {
    assertName(module);
    const names = createResourceNames(module, resource, options);
    const note = noteFile(module, resource);
    if (options.undo) {
      const file = `modules/${module}/${names.files}/${names.files}.ts`;
      return undoNoted(note, { file, isThere: readText(root, file) !== undefined }, options);
    }
    if (sources.length === 0) throw new UsageError('A resource needs a field: "name:text(100) search"');
    const fields = parseFields(sources);
    const { open: isOpen = false, own: isOwn = false, tools: hasTools = false } = options;
    const modules = await findModules();
    const plan = planResource(names, fields, { isOpen, isOwn, hasTools }, { root, modules });
    const made = formatSources(plan.made);
    assertFree(made);
    const changed = formatSources(plan.changed);
    if (options.dryRun) return show({ made, changed });
    const command = `resource:make ${module} ${resource}`;
    const state = readModuleStates(root).get(module) ?? null;
    writeNoted(root, note, { command, module, state }, new Map([...made, ...changed]));
    print('Made', made);
    print('Changed', changed);
    const isNew = !modules.some((each) => each.name === module && each.isListed);
    if (isNew) await changeState(module, { installed: false, enabled: false });
    // Without a running server, the next start seeds new dictionaries.
    await enable(module, { canWait: true, isForced: !isNew && hasInstallation() });
    await renewPages();
  });

/** @throws Error naming files that exist with another text; an interrupted command can be repeated */
function assertFree(made: ReadonlyMap<string, string>): void {
  const taken = [...made]
    .filter(([file, text]) => (readText(root, file) ?? text) !== text)
    .map(([file]) => file);
  if (taken.length > 0) throw new Error(`These files exist already:\n  ${taken.join('\n  ')}`);
}

function show({ made, changed }: Plan): void {
  for (const [file, text] of made) console.log(`+ ${file}, ${text.split('\n').length - 1} lines`);
  for (const [file, text] of changed) {
    const before = new Set(readText(root, file)?.split('\n'));
    console.log([`~ ${file}`, ...text.split('\n').filter((line) => !before.has(line))].join('\n    '));
  }
}

function print(verb: string, files: ReadonlyMap<string, string>): void {
  if (files.size > 0) console.log([`${verb}:`, ...files.keys()].join('\n  '));
}

/** Renews the pages that list permissions and errors. */
async function renewPages(): Promise<void> {
  writePages(root, await discover(root));
  console.log(
    'Written: docs/errors.md, docs/api.md, permissions.txt. Before a deployment, run npm run records too.',
  );
}
