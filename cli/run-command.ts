import { readVersion } from '#functions/names.ts';
import { createProgram, runProgram } from './command.ts';
import { adminUnlock } from './commands/admin.ts';
import { auditDigest, auditExport, auditVerify } from './commands/audit.ts';
import { backup, cacheClear, restoreCommand } from './commands/backup.ts';
import { configGet, configSet } from './commands/config.ts';
import { configApply, configPlan, configPull } from './commands/config-file.ts';
import { demo } from './commands/demo.ts';
import { dictClear, dictImport } from './commands/dict.ts';
import { errorMake } from './commands/error-make.ts';
import { installCommand, migrateCommand, seed } from './commands/install.ts';
import { jobList, jobRun } from './commands/jobs.ts';
import { moduleList, routeList, toolList } from './commands/lists.ts';
import { moduleCheck } from './commands/modules/module-check.ts';
import { moduleDelete, moduleMake } from './commands/modules/module-files.ts';
import {
  moduleDisable,
  moduleEnable,
  moduleInstall,
  moduleUninstall,
} from './commands/modules/module-life.ts';
import { resourceMake } from './commands/modules/resource.ts';
import { resourceField } from './commands/modules/resource-field.ts';
import { stageRemove, stageSweep } from './commands/stage.ts';
import { stageCheck } from './commands/stage-check.ts';
import { createStorageMigrate, createStorageVerify, storageLink } from './commands/storage.ts';
import { root } from './project.ts';
import { shortenLog } from './terminal.ts';

const program = createProgram(
  'npm run service',
  'Commands for modules, dictionaries, settings, files, the audit log and deployed stages.',
)
  .version(readVersion(root), '--version', 'show the version of this project')
  .helpCommand('help [command]', 'show the help of a command');
for (const command of [
  installCommand,
  migrateCommand,
  seed,
  adminUnlock,
  moduleList,
  moduleMake,
  moduleCheck,
  moduleInstall,
  moduleEnable,
  moduleDisable,
  moduleUninstall,
  moduleDelete,
  resourceMake,
  resourceField,
  errorMake,
  routeList,
  toolList,
  jobList,
  jobRun,
  cacheClear,
  dictClear,
  dictImport,
  configGet,
  configSet,
  configPull,
  configPlan,
  configApply,
  stageCheck,
  storageLink,
  createStorageMigrate(),
  createStorageVerify(),
  auditExport,
  auditVerify,
  auditDigest,
  backup,
  restoreCommand,
  demo,
  stageRemove,
  stageSweep,
]) {
  program.addCommand(command);
}

shortenLog();
const exitCode = await runProgram(program);
// Idle connections would keep the process alive for some seconds.
process.exit(exitCode);
