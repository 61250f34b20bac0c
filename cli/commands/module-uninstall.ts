import { createCommand } from '../command.ts';
import { useEnvironment } from '../environment.ts';
import { changeState } from '../modules/change-state.ts';
import { type Removal, removeData } from '../modules/data.ts';
import { findModules, type KnownModule, manifestOf, pick } from '../modules/find-modules.ts';
import { assertNotRequired } from '../modules/requirements.ts';
import { describeRetreat } from '../modules/stacks.ts';
import { confirm } from '../terminal.ts';

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
    // Nobody writes what is being removed; and a removal that is cut short is found to be one.
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
