import { AppError } from '#shared/errors/app-error.ts';
import { createTranslate } from '#shared/http/messages.ts';
import { UsageError } from './command.ts';
import { configGet, configSet } from './commands/config.ts';
import { dictClear } from './commands/dict-clear.ts';
import { installCommand } from './commands/install.ts';
import { moduleDelete } from './commands/module-delete.ts';
import { moduleDisable } from './commands/module-disable.ts';
import { moduleEnable } from './commands/module-enable.ts';
import { moduleInstall } from './commands/module-install.ts';
import { moduleList } from './commands/module-list.ts';
import { moduleMake } from './commands/module-make.ts';
import { moduleUninstall } from './commands/module-uninstall.ts';
import { routeList } from './commands/route-list.ts';
import { seed } from './commands/seed.ts';
import { storageLink } from './commands/storage-link.ts';
import { storageMigrate } from './commands/storage-migrate.ts';
import { toolList } from './commands/tool-list.ts';
import { useEnvironment } from './environment.ts';
import { type Commands, renderCommandHelp, renderHelp, renderUsage } from './help.ts';

// Runs the command that the arguments name, and ends the process.

const commands: Commands = {
  install: installCommand,
  seed,
  'module:list': moduleList,
  'module:make': moduleMake,
  'module:install': moduleInstall,
  'module:enable': moduleEnable,
  'module:disable': moduleDisable,
  'module:uninstall': moduleUninstall,
  'module:delete': moduleDelete,
  'route:list': routeList,
  'tool:list': toolList,
  'dict:clear': dictClear,
  'config:get': configGet,
  'config:set': configSet,
  'storage:link': storageLink,
  'storage:migrate': storageMigrate,
};

const isHelp = (arg: string) => arg === '--help' || arg === '-h';

async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined) throw new UsageError(renderHelp(commands));
  if (isHelp(name) || name === 'help') return console.log(renderHelp(commands));
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`There is no command "${name}": --help lists them`);
  if (args.some(isHelp)) return console.log(renderCommandHelp(name, command));
  try {
    await command.run(args, useEnvironment);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message}\nUsage: ${renderUsage(name, command)}`, { cause: error });
  }
}

/** What went wrong, in words: an AppError's message is its code. */
function explain(error: unknown): string {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
  const t = createTranslate('en');
  const details = (error.errors ?? []).map(({ path, message }) => `  ${path}: ${t(message, error.params)}`);
  return [t(error.code, error.params), ...details].join('\n');
}

try {
  await main(process.argv.slice(2));
  // Kept-alive connections to storage engines and providers would hold the process for some seconds.
  process.exit(0);
} catch (error) {
  console.error(explain(error));
  process.exit(error instanceof UsageError ? 2 : 1);
}
