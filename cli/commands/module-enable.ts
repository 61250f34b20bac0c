import { createCommand } from '../command.ts';
import { bringIn } from '../modules/bring-in.ts';

export const moduleEnable = createCommand(
  'module:enable',
  'make a module part of the service; install it if it is not installed',
)
  .argument('<Name>')
  .action((name) => bringIn(name));
