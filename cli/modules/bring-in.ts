import { assertFits, changeState } from './change-state.ts';
import { seedData } from './data.ts';
import { findModules, manifestOf, pick } from './find-modules.ts';
import { assertRequirements } from './requirements.ts';
import { describeDeployment } from './stacks.ts';

export interface BringInOptions {
  /** Whether what is missing of an installed module is seeded again. @default false */
  isForced?: boolean;
  openStores(): void;
}

/**
 * Makes a module part of the service, and installs it where it is not. Safe to repeat: seeds stay as operators
 * made them, and the state is written last.
 *
 * @throws Error, before anything is done, where it requires what is not there or breaks a rule
 */
export async function bringIn(name: string, { isForced = false, openStores }: BringInOptions): Promise<void> {
  const modules = await findModules();
  const module = pick(modules, name);
  const manifest = manifestOf(module);
  assertRequirements(modules, module);
  await assertFits(name);
  const isSeeding = isForced || !module.installed;
  if (isSeeding) openStores();
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
