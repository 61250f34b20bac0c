import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { discover } from '#functions/discover/discover.ts';
import { writePages } from '#functions/write-tables.ts';
import { createCommand } from '../command.ts';
import { hasInstallation } from '../environment.ts';
import { changeState } from '../modules/change-state.ts';
import { findModules } from '../modules/find-modules.ts';
import { root } from '../project.ts';
import { formatSources } from '../resources/format.ts';
import { parseFields } from '../resources/parse-field.ts';
import { type Plan, planResource } from '../resources/plan-resource.ts';
import { createResourceNames } from '../resources/resource-names.ts';
import { assertName } from './module-files.ts';
import { enable } from './module-life.ts';

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
  .argument('<fields...>', 'see below')
  .option('--title <zh|en|plural>', 'what people call it: "商品|product|products"')
  .option('--open', 'also a list and a detail that everybody may read')
  .option('--own', "also a user's own records; it needs a field of type user that is a filter")
  .option('--tools', 'also tools for assistants')
  .option('--dry-run', 'show what would be written')
  .option('--undo', 'remove what the same command has made, and is as it was')
  .addHelpText('after', help)
  .action(async (module, resource, sources, options) => {
    assertName(module);
    const names = createResourceNames(module, resource, options);
    const fields = parseFields(sources);
    const { open: isOpen = false, own: isOwn = false, tools: hasTools = false } = options;
    const modules = await findModules();
    const plan = planResource(names, fields, { isOpen, isOwn, hasTools }, modules);
    const made = formatSources(plan.made);
    if (options.undo) return undo(module, made);
    assertFree(made);
    const changed = formatSources(plan.changed);
    if (options.dryRun) return show({ made, changed });
    for (const [file, text] of [...made, ...changed]) write(file, text);
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
  const taken = [...made].filter(([file, text]) => (read(file) ?? text) !== text).map(([file]) => file);
  if (taken.length > 0) throw new Error(`These files exist already:\n  ${taken.join('\n  ')}`);
}

function show({ made, changed }: Plan): void {
  for (const [file, text] of made) console.log(`+ ${file}, ${text.split('\n').length - 1} lines`);
  for (const [file, text] of changed) {
    const before = new Set(read(file)?.split('\n'));
    console.log([`~ ${file}`, ...text.split('\n').filter((line) => !before.has(line))].join('\n    '));
  }
}

function print(verb: string, files: ReadonlyMap<string, string>): void {
  if (files.size > 0) console.log([`${verb}:`, ...files.keys()].join('\n  '));
}

/** Removes files that are as they were made; the others are named. */
function undo(module: string, made: ReadonlyMap<string, string>): void {
  const [kept, removed]: [string[], string[]] = [[], []];
  for (const [file, text] of made) {
    const there = read(file);
    if (there === undefined) continue;
    // Other resources may use these.
    const isShared = dirname(file) === `modules/${module}` && !file.endsWith('.test.ts');
    if (isShared || there !== text) kept.push(file);
    else removed.push(file);
  }
  for (const file of removed) removeFile(file);
  console.log(['Removed:', ...removed].join('\n  '));
  if (kept.length > 0) console.log(['Kept, because they were edited or serve others:', ...kept].join('\n  '));
  console.log(
    `The lines of the resource in modules/${module}/module.ts, uninstall.ts and demo.ts stay: remove them by hand`,
  );
}

function removeFile(file: string): void {
  rmSync(join(root, file));
  let folder = dirname(file);
  while (folder.split('/').length > 2 && readdirSync(join(root, folder)).length === 0) {
    rmdirSync(join(root, folder));
    folder = dirname(folder);
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

const read = (file: string): string | undefined =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;

/** Renews the pages that list permissions and errors. */
async function renewPages(): Promise<void> {
  writePages(root, await discover(root));
  console.log(
    'Written: docs/errors.md, docs/api.md, permissions.txt. Before a deployment, run npm run records too.',
  );
}
