import { discover } from '#functions/discover.ts';
import { createCommand } from '../command.ts';
import { useEnvironment } from '../environment.ts';
import { seedData } from '../modules/data.ts';
import { root } from '../project.ts';

export const seed = createCommand(
  'seed',
  'create the dictionaries of the enabled modules that are missing; existing ones stay as they are',
).action(async () => {
  useEnvironment();
  const { modules } = await discover(root);
  const seeded = await seedData(modules.map(({ manifest }) => manifest));
  console.log(seeded.length > 0 ? `Seeded: ${seeded.join(', ')}` : 'Nothing to do: all is there');
});
