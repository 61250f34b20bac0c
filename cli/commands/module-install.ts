import { createCommand } from '../command.ts';
import { bringIn } from '../modules/bring-in.ts';

export const moduleInstall = createCommand(
  'module:install',
  'seed the dictionaries of a module, and enable it',
)
  .argument('<Name>')
  .option('--force', 'add what is missing of its dictionaries again; existing items stay as they are')
  .action((name, { force }) => bringIn(name, force));
