import { useEnvironment } from '../environment.ts';
import { assertFits, changeState } from './change-state.ts';
import { seedData } from './data.ts';
import { findModules, manifestOf, pick } from './find-modules.ts';
import { assertRequirements } from './requirements.ts';
import { describeDeployment } from './stacks.ts';

/**
 * Makes a module part of the service, and installs it if it is not installed. Safe to repeat: seeds stay as
 * operators made them, and the state is written last.
 *
 * @param isForced whether what is missing of an installed module is seeded again
 * @throws Error, before anything is done, if a module that it requires is missing, or if it breaks a rule
 */
export async function bringIn(name: string, isForced = false): Promise<void> {
  const modules = await findModules();
  const module = pick(modules, name);
  const manifest = manifestOf(module);
  assertRequirements(modules, module);
  await assertFits(name);
  const isSeeding = isForced || !module.installed;
  if (isSeeding) useEnvironment();
  const seeded = isSeeding ? await seedData([manifest], isForced) : [];
  await changeState(name, { installed: true, enabled: true });
  if (seeded.length > 0) console.log(`Seeded: ${seeded.join(', ')}`);
  if (module.installed && module.enabled) {
    console.log(`${seeded.length > 0 ? 'No more' : 'Nothing'} to do: ${name} is installed and enabled`);
    return;
  }
  console.log(module.installed ? `Enabled ${name}` : `Installed and enabled ${name}`);
  console.log(describeDeployment(name));
}
