import { readVersion } from '#functions/names.ts';
import { createProgram, runProgram } from './command.ts';
import { configGet, configSet } from './commands/config.ts';
import { dictClear, dictImport } from './commands/dict.ts';
import { installCommand, seed } from './commands/install.ts';
import { moduleList, routeList, toolList } from './commands/lists.ts';
import { moduleDelete, moduleMake } from './commands/module-files.ts';
import { moduleDisable, moduleEnable, moduleInstall, moduleUninstall } from './commands/module-life.ts';
import { storageLink } from './commands/storage-link.ts';
import { createStorageMigrate } from './commands/storage-migrate.ts';
import { root } from './project.ts';

// Runs the command that the arguments name, and ends the process.

const commands = [
  installCommand,
  seed,
  moduleList,
  moduleMake,
  moduleInstall,
  moduleEnable,
  moduleDisable,
  moduleUninstall,
  moduleDelete,
  routeList,
  toolList,
  dictClear,
  dictImport,
  configGet,
  configSet,
  storageLink,
  createStorageMigrate(),
];

const program = createProgram('npm run service', 'Commands for modules, dictionaries, settings and files.')
  .version(readVersion(root), '--version', 'show the version of this project')
  .helpCommand('help [command]', 'show the help of a command');
for (const command of commands) program.addCommand(command);

const exitCode = await runProgram(program);
// Kept-alive connections to storage engines and providers would hold the process for some seconds.
process.exit(exitCode);
