import * as z from 'zod/mini';
import { aggregateStack, coreStack } from '#functions/stacks/stack.ts';
import { withoutRevisions } from '#shared/db/revisions/keep.ts';
import { toRoutePrefix } from '#shared/module/module.ts';
import { label } from '#shared/schema/marks.ts';
import { createCommand } from '../../command.ts';
import { hasInstallation, useEnvironment } from '../../environment.ts';
import { assertFits, changeState, refresh } from '../../modules/change-state.ts';
import { removeData, seedData } from '../../modules/data.ts';
import { assertNotRequired, findModules, manifestOf, pick } from '../../modules/find-modules.ts';
import { recordCommand } from '../../record-command.ts';
import { confirm } from '../../terminal.ts';

// The stack `core` answers unknown paths, so it depends on the routes of all modules.

const moduleInput = z.object({ name: label(z.string()) });

const describeRemoval = (name: string): string =>
  `Redeploy: ${coreStack}, ${aggregateStack}; remove the stack ${toRoutePrefix(name)}`;

export const moduleInstall = createCommand(
  'module:install',
  'seed the dictionaries of a module, and enable it',
)
  .argument('<Name>')
  .option('--force', 'add missing items to its dictionaries; existing items stay as they are')
  .action((name, { force = false }) => enable(name, { isForced: force }));

export const moduleEnable = createCommand(
  'module:enable',
  'make a module part of the service; install it if it is not installed',
)
  .argument('<Name>')
  .action((name) => enable(name, { canWait: true }));

interface EnableOptions {
  /** Whether missing items are added to dictionaries that exist. */
  isForced?: boolean;
  /** Whether seeding waits for the next `npm start`, which does it for every module, if no installation is there now. */
  canWait?: boolean;
}

/**
 * Enables a module, and installs it if necessary. Safe to repeat: the state is written last.
 *
 * @throws Error before any change, if a required module is missing or a rule is broken
 */
export async function enable(
  name: string,
  { isForced = false, canWait = false }: EnableOptions,
): Promise<void> {
  const modules = await findModules();
  const module = pick(modules, name);
  const manifest = manifestOf(module);
  const { requires = [] } = manifest;
  const missing = requires.filter(
    (required) => !modules.some((each) => each.name === required && each.installed && each.enabled),
  );
  if (missing.length > 0) throw new Error(`${name} requires ${missing.join(', ')}: enable it first`);
  await assertFits(name);
  const isSeeding = isForced || (!module.installed && !(canWait && !hasInstallation()));
  if (isSeeding) useEnvironment();
  const seeded = isSeeding
    ? await recordCommand('module:install', moduleInput, { name }, () => seedData([manifest], isForced))
    : [];
  await changeState(name, { installed: true, enabled: true });
  if (seeded.length > 0) console.log(`Seeded: ${seeded.join(', ')}`);
  if (module.installed && module.enabled) {
    console.log(`${seeded.length > 0 ? 'No more' : 'Nothing'} to do: ${name} is installed and enabled`);
    return;
  }
  console.log(module.installed ? `Enabled ${name}` : `Installed and enabled ${name}`);
  if (!isSeeding && !module.installed && manifest.dictionaries?.length) console.log(seedLater(name));
  console.log(`Redeploy: ${coreStack}, ${toRoutePrefix(name)}, ${aggregateStack}`);
}

const seedLater = (name: string): string =>
  `No server runs here: the next npm start adds the dictionaries of ${name}, the command seed those of a deployed service`;

export const moduleDisable = createCommand(
  'module:disable',
  'remove a module from the service; its data stays',
)
  .argument('<Name>')
  .action(async (name) => {
    const modules = await findModules();
    const module = pick(modules, name);
    assertNotRequired(modules, module, ({ enabled }) => enabled);
    if (!module.enabled) {
      await refresh();
      console.log(`Nothing to do: ${name} is not enabled`);
      return;
    }
    await changeState(name, { installed: module.installed, enabled: false });
    console.log(`Disabled ${name}; its data stays`);
    console.log(describeRemoval(name));
  });

export const moduleUninstall = createCommand(
  'module:uninstall',
  'remove a module from the service, and remove its data',
)
  .argument('<Name>')
  .option('--yes', 'do not ask')
  .action((name, { yes = false }) => uninstall(name, yes));

/** Removes a module from the service, with its data. Safe to repeat. @param isSure does not ask */
export async function uninstall(name: string, isSure: boolean): Promise<void> {
  const modules = await findModules();
  const module = pick(modules, name);
  assertNotRequired(modules, module, ({ installed, enabled }) => installed || enabled);
  const manifest = manifestOf(module);
  const others = modules.filter((each) => each.installed && each.name !== name).map(manifestOf);
  useEnvironment();
  await confirm(`Uninstall ${name} and remove its data?`, isSure);
  // Disabled first: so new functions do not write the data, and an interrupted removal is visible in the state.
  if (module.enabled) await changeState(name, { installed: true, enabled: false });
  const { removed, kept } = await recordCommand('module:uninstall', moduleInput, { name }, () =>
    withoutRevisions(() => removeData(manifest, others)),
  );
  await changeState(name, module.isListed ? { installed: false, enabled: false } : undefined);
  if (removed.length > 0) console.log(`Removed: ${removed.join(', ')}`);
  for (const what of kept) console.log(`Kept: ${what}`);
  if (module.installed || module.enabled) console.log(`Uninstalled ${name}`);
  else if (removed.length === 0) console.log(`Nothing to do: ${name} is not installed`);
  if (module.enabled) console.log(describeRemoval(name));
}
