import type { Command } from './command.ts';
import { dictClear } from './commands/dict-clear.ts';
import { installCommand } from './commands/install.ts';
import { useEnvironment } from './environment.ts';

// `npm run service -- <command> [arguments]`

const commands: Record<string, Command> = {
  install: installCommand,
  'dict:clear': dictClear,
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

try {
  await main(process.argv.slice(2));
  // Kept-alive connections to the stores would hold the process for some seconds.
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
