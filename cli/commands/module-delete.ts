import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createCommand } from '../command.ts';
import { changeState, refresh } from '../modules/change-state.ts';
import { assertModuleName, findModules } from '../modules/find-modules.ts';
import { folderOf, removeFolder } from '../modules/folders.ts';
import { assertNotRequired } from '../modules/requirements.ts';
import { root } from '../project.ts';
import { confirm } from '../terminal.ts';

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
    assertNotRequired(modules, name, () => true);
    if (module.installed || module.enabled) {
      throw new Error(`${name} is installed: module:uninstall ${name} removes its data first`);
    }
    const folder = folderOf(name);
    const hasFolder = existsSync(join(root, folder));
    await confirm(`Delete ${hasFolder ? folder : `the entry of ${name}`}?`, { isYes: yes });
    if (hasFolder) removeFolder(folder);
    await changeState(name, undefined);
    console.log(`Deleted ${name}${hasFolder ? `: ${folder}` : ''}`);
  });
