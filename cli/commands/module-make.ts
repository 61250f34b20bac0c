import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { functionNameLimit } from '#functions/names.ts';
import { toRoutePrefix } from '#shared/module/module.ts';
import { createCommand, UsageError } from '../command.ts';
import { changeState } from '../modules/change-state.ts';
import { assertModuleName, findModules, type KnownModule } from '../modules/find-modules.ts';
import { folderOf, type Sources, writeFolder } from '../modules/folders.ts';
import { otherStacks } from '../modules/stacks.ts';
import { root } from '../project.ts';
import { renderModule } from '../templates/module.ts';
import { createNames } from '../templates/names.ts';

/** What the function of the longest route's name has beside the prefix. */
const longestRoute = '-admin-kind-list';

export const moduleMake = createCommand(
  'module:make',
  'write a new module: routes, a dictionary, an error code, a throttle, messages, a tool, a test',
)
  .argument('<Name>', 'in PascalCase, as in UserCenter')
  .action(async (name) => {
    assertName(name);
    const folder = folderOf(name);
    const files = renderModule(createNames(name), folder);
    assertFree(await findModules(), name, files);
    if (!existsSync(join(root, folder))) writeFolder(folder, files);
    await changeState(name, { installed: false, enabled: false });
    console.log([`Made ${name}:`, ...[...files.keys()].map((file) => `  ${file}`)].join('\n'));
    console.log(`module:enable ${name} makes it part of the service`);
  });

function assertName(name: string): void {
  assertModuleName(name);
  const prefix = toRoutePrefix(name);
  if (otherStacks.includes(prefix)) throw new UsageError(`${name} is the name of a stack: choose another`);
  const excess = prefix.length + longestRoute.length - functionNameLimit;
  if (excess > 0) throw new UsageError(`${name} is too long for the names of its functions, by ${excess}`);
}

/** @throws Error unless the module can be made, or its making or deletion was interrupted */
function assertFree(modules: readonly KnownModule[], name: string, files: Sources): void {
  const prefix = toRoutePrefix(name);
  const twin = modules.find((each) => each.name !== name && toRoutePrefix(each.name) === prefix);
  if (twin) throw new Error(`The prefix ${prefix} is that of ${twin.name}: choose another name`);
  const known = modules.find((each) => each.name === name);
  if (known?.isListed && known.hasFolder) throw new Error(`There is a module ${name} already`);
  if (known?.installed || known?.enabled) {
    throw new Error(`modules/modules.json lists ${name}: bring its files back`);
  }
  const folder = folderOf(name);
  if (!isAsMade(folder, files)) throw new Error(`${folder} is there already, with files of its own`);
}

/** Whether a folder is not there, or holds what would be written into it and nothing else. */
function isAsMade(folder: string, files: Sources): boolean {
  if (!existsSync(join(root, folder))) return true;
  const present = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  const isSame = ([file, text]: [string, string]) =>
    existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8') === text;
  return present.length === files.size && [...files].every(isSame);
}
