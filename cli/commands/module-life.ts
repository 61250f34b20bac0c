import { aggregateStack, coreStack } from '#functions/stacks/stack.ts';
import { toRoutePrefix } from '#shared/module/module.ts';
import { createCommand } from '../command.ts';
import { useEnvironment } from '../environment.ts';
import { assertFits, changeState, refresh } from '../modules/change-state.ts';
import { type Removal, removeData, seedData } from '../modules/data.ts';
import {
  assertNotRequired,
  assertRequirements,
  findModules,
  type KnownModule,
  manifestOf,
  pick,
} from '../modules/find-modules.ts';
import { confirm } from '../terminal.ts';

// `core` answers paths that no route takes, so it has to know which there are.

/** What to deploy once a module is part of the service. */
const describeDeployment = (name: string): string =>
  `Redeploy: ${coreStack}, ${toRoutePrefix(name)}, ${aggregateStack}`;

/** What to deploy once a module is no longer part of the service. */
const describeRetreat = (name: string): string =>
  `Redeploy: ${coreStack}, ${aggregateStack}; remove the stack ${toRoutePrefix(name)}`;

export const moduleInstall = createCommand(
  'module:install',
  'seed the dictionaries of a module, and enable it',
)
  .argument('<Name>')
  .option('--force', 'add what is missing of its dictionaries again; existing items stay as they are')
  .action((name, { force }) => bringIn(name, force));

export const moduleEnable = createCommand(
  'module:enable',
  'make a module part of the service; install it if it is not installed',
)
  .argument('<Name>')
  .action((name) => bringIn(name));

/**
 * Makes a module part of the service, and installs it if it is not installed. Safe to repeat: seeds stay as
 * operators made them, and the state is written last.
 *
 * @param isForced whether what is missing of an installed module is seeded again
 * @throws Error, before anything is done, if a module that it requires is missing, or if it breaks a rule
 */
async function bringIn(name: string, isForced = false): Promise<void> {
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

export const moduleDisable = createCommand(
  'module:disable',
  'take a module out of the service; its data stays',
)
  .argument('<Name>')
  .action(async (name) => {
    const modules = await findModules();
    const { installed, enabled } = pick(modules, name);
    assertNotRequired(modules, name, (dependant) => dependant.enabled);
    if (!enabled) {
      await refresh();
      console.log(`Nothing to do: ${name} is not enabled`);
      return;
    }
    await changeState(name, { installed, enabled: false });
    console.log(`Disabled ${name}; its data stays`);
    console.log(describeRetreat(name));
  });

export const moduleUninstall = createCommand(
  'module:uninstall',
  'take a module out of the service and remove its data',
)
  .argument('<Name>')
  .option('--yes', 'do not ask')
  .action(async (name, { yes = false }) => {
    const modules = await findModules();
    const module = pick(modules, name);
    assertNotRequired(modules, name, ({ installed, enabled }) => installed || enabled);
    const manifest = manifestOf(module);
    const others = modules.filter((each) => each.installed && each.name !== name).map(manifestOf);
    useEnvironment();
    await confirm(`Uninstall ${name} and remove its data?`, { isYes: yes });
    // No function writes what is being removed, and an interrupted removal is visible in the state.
    if (module.enabled) await changeState(name, { installed: true, enabled: false });
    const removal = await removeData(manifest, others);
    await changeState(name, module.isListed ? { installed: false, enabled: false } : undefined);
    report(module, removal);
  });

function report({ name, installed, enabled }: KnownModule, { removed, kept }: Removal): void {
  const isDone = installed || enabled;
  if (removed.length > 0) console.log(`Removed: ${removed.join(', ')}`);
  for (const what of kept) console.log(`Kept: ${what}`);
  if (isDone) console.log(`Uninstalled ${name}`);
  else if (removed.length === 0) console.log(`Nothing to do: ${name} is not installed`);
  if (enabled) console.log(describeRetreat(name));
}
