import { AppError } from '#shared/errors/app-error.ts';
import { createTranslate } from '#shared/http/messages.ts';
import type { Command } from './command.ts';
import { configGet, configSet } from './commands/config.ts';
import { dictClear } from './commands/dict-clear.ts';
import { installCommand } from './commands/install.ts';
import { storageLink } from './commands/storage-link.ts';
import { storageMigrate } from './commands/storage-migrate.ts';
import { useEnvironment } from './environment.ts';

// `npm run service -- <command> [arguments]`

const commands: Record<string, Command> = {
  'config:get': configGet,
  'config:set': configSet,
  install: installCommand,
  'dict:clear': dictClear,
  'storage:link': storageLink,
  'storage:migrate': storageMigrate,
};

function printHelp(): void {
  console.log('npm run service -- <command>\n');
  for (const [name, { usage, summary }] of Object.entries(commands)) {
    console.log(`  ${`${name} ${usage}`.trim().padEnd(24)} ${summary}`);
  }
}

async function main([name = '--help', ...args]: string[]): Promise<void> {
  if (name === '--help' || name === '-h' || name === 'help') return printHelp();
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new Error(`there is no command "${name}": see --help`);
  useEnvironment();
  await command.run(args);
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
  // Kept-alive connections to the stores would hold the process for some seconds.
  process.exit(0);
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
