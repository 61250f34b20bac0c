import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { functionNameLimit } from '#functions/names.ts';
import { toRoutePrefix } from '#shared/module/module.ts';
import { createCommand, UsageError } from '../command.ts';
import { changeState } from '../modules/change-state.ts';
import { assertModuleName, findModules, type KnownModule } from '../modules/find-modules.ts';
import { foldersOf, type Sources, writeFolders } from '../modules/folders.ts';
import { otherStacks } from '../modules/stacks.ts';
import { root } from '../project.ts';
import { renderModule } from '../templates/module.ts';
import { createNames } from '../templates/names.ts';

/** What the function of the longest route's name has beside the prefix. */
const longestRoute = '-admin-kind-list';

export const moduleMake = createCommand(
  'module:make',
  'write a new module: routes, a dictionary, a tool with its adapter, a test',
)
  .argument('<Name>', 'in PascalCase, as in UserCenter')
  .action(async (name) => {
    assertName(name);
    const folders = foldersOf(name);
    const files = renderModule(createNames(name), folders);
    const missing = [folders.tests, folders.sources].filter((folder) => !existsSync(join(root, folder)));
    assertFree(await findModules(), name, { files, isWhole: missing.length === 0 });
    writeFolders(missing, files);
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

/** @throws Error unless the module can be made, or was left half made or half deleted */
function assertFree(
  modules: readonly KnownModule[],
  name: string,
  { files, isWhole }: { files: Sources; isWhole: boolean },
): void {
  const prefix = toRoutePrefix(name);
  const twin = modules.find((each) => each.name !== name && toRoutePrefix(each.name) === prefix);
  if (twin) throw new Error(`The prefix ${prefix} is that of ${twin.name}: choose another name`);
  const known = modules.find((each) => each.name === name);
  const isInUse = known?.installed || known?.enabled;
  if (known?.isListed && known.hasFolder && (isInUse || isWhole)) {
    throw new Error(`There is a module ${name} already`);
  }
  if (isInUse) throw new Error(`modules/modules.json lists ${name}: bring its files back`);
  const touched = Object.values(foldersOf(name)).find((folder) => !isAsMade(folder, files));
  if (touched) throw new Error(`${touched} is there already, with files of its own`);
}

/** Whether a folder is not there, or holds what would be written into it and nothing else. */
function isAsMade(folder: string, files: Sources): boolean {
  if (!existsSync(join(root, folder))) return true;
  const present = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  const expected = [...files.keys()].filter((file) => file.startsWith(`${folder}/`));
  const isSame = (file: string) =>
    existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8') === files.get(file);
  return present.length === expected.length && expected.every(isSame);
}
