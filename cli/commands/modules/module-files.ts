import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { reservedPrefixes } from '#functions/checks/checks.ts';
import { functionNameLimit } from '#functions/names.ts';
import { inTemporary } from '#functions/write-files.ts';
import { toRoutePrefix } from '#shared/module/module.ts';
import { createCommand, UsageError } from '../../command.ts';
import { changeState, refresh } from '../../modules/change-state.ts';
import {
  assertModuleName,
  assertNotRequired,
  findModules,
  type KnownModule,
} from '../../modules/find-modules.ts';
import { root } from '../../project.ts';
import { renderModule, type Sources } from '../../templates/module.ts';
import { createNames } from '../../templates/names.ts';
import { confirm } from '../../terminal.ts';

/** The longest end of a function's name in a new module. */
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

export function assertName(name: string): void {
  assertModuleName(name);
  const prefix = toRoutePrefix(name);
  if (reservedPrefixes.has(prefix))
    throw new UsageError(`${name} is the name of a stack, or of the permissions of tools: choose another`);
  const excess = prefix.length + longestRoute.length - functionNameLimit;
  const fault = `${name} is too long for the names of its functions`;
  if (excess > 0) throw new UsageError(`${fault}: shorten it by ${excess} characters`);
}

/** @throws Error if the module exists. An interrupted command can be repeated. */
function assertFree(modules: readonly KnownModule[], name: string, files: Sources): void {
  const prefix = toRoutePrefix(name);
  const other = modules.find((each) => each.name !== name && toRoutePrefix(each.name) === prefix);
  if (other) throw new Error(`${other.name} has the prefix ${prefix} too: choose another name`);
  const known = modules.find((each) => each.name === name);
  if (known?.isListed && known.hasFolder) throw new Error(`The module ${name} already exists`);
  if (known?.installed || known?.enabled) {
    throw new Error(`modules/modules.json lists ${name}: restore its files`);
  }
  const folder = folderOf(name);
  if (!isAsMade(folder, files)) throw new Error(`${folder} already exists with other files`);
}

/** Whether a folder is missing, or holds exactly the new files. */
function isAsMade(folder: string, files: Sources): boolean {
  if (!existsSync(join(root, folder))) return true;
  const present = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  const isSame = (file: string) => readFileSync(file, 'utf8') === files.get(relative(root, file));
  return present.length === files.size && present.every(isSame);
}

export const moduleDelete = createCommand(
  'module:delete',
  'delete the files of a module that is not installed',
)
  .argument('<Name>')
  .option('--yes', 'do not ask')
  .action(async (name, { yes = false }) => {
    assertModuleName(name);
    const modules = await findModules();
    const module = modules.find((each) => each.name === name);
    if (!module) {
      await refresh();
      console.log(`Nothing to do: there is no module ${name}`);
      return;
    }
    assertNotRequired(modules, module, () => true);
    if (module.installed || module.enabled) {
      throw new Error(`${name} is installed: module:uninstall ${name} removes its data first`);
    }
    const folder = module.hasFolder ? folderOf(name) : undefined;
    await confirm(`Delete ${folder ?? `the entry of ${name}`}?`, yes);
    // In one step, so that the folder is never incomplete.
    if (folder) inTemporary(root, (temporary) => renameSync(join(root, folder), join(temporary, 'removed')));
    await changeState(name, undefined);
    console.log(`Deleted ${name}${folder ? `: ${folder}` : ''}`);
  });

export const folderOf = (name: string): string => `modules/${name}`;

/** Writes the folder of a module in one step, so that it is never incomplete. */
function writeFolder(folder: string, sources: Sources): void {
  inTemporary(root, (temporary) => {
    for (const [file, text] of sources) {
      mkdirSync(dirname(join(temporary, file)), { recursive: true });
      writeFileSync(join(temporary, file), text);
    }
    renameSync(join(temporary, folder), join(root, folder));
  });
}
