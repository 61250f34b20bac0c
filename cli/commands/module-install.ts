import { defineCommand } from '../command.ts';
import { bringIn } from '../modules/bring-in.ts';

export const moduleInstall = defineCommand({
  summary: 'seed the dictionaries of a module, and enable it',
  positionals: ['Name'],
  options: {
    force: {
      type: 'boolean',
      default: false,
      summary: 'add what is missing of its dictionaries again; what is there stays as it is',
    },
  },
  run: ({ positionals: [name = ''], values: { force }, openStores }) =>
    bringIn(name, { isForced: force, openStores }),
});
