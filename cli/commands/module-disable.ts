import { createCommand } from '../command.ts';
import { changeState, refresh } from '../modules/change-state.ts';
import { findModules, pick } from '../modules/find-modules.ts';
import { assertNotRequired } from '../modules/requirements.ts';
import { describeRetreat } from '../modules/stacks.ts';

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
