import { discover } from '#functions/discover.ts';
import { defineCommand } from '../command.ts';
import { seedData } from '../modules/data.ts';
import { root } from '../project.ts';

export const seed = defineCommand({
  summary: 'create the dictionaries of the enabled modules that are missing; what is there stays',
  options: {},
  async run({ openStores }) {
    openStores();
    const { modules } = await discover(root);
    const seeded = await seedData(modules.map(({ manifest }) => manifest));
    console.log(seeded.length > 0 ? `Seeded: ${seeded.join(', ')}` : 'Nothing to do: all is there');
  },
});
