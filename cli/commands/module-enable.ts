import { defineCommand } from '../command.ts';
import { bringIn } from '../modules/bring-in.ts';

export const moduleEnable = defineCommand({
  summary: 'make a module part of the service; one that is not installed is installed',
  positionals: ['Name'],
  options: {},
  run: ({ positionals: [name = ''], openStores }) => bringIn(name, { openStores }),
});
