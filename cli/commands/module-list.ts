import { discover } from '#functions/discover.ts';
import type { Manifest } from '#functions/model.ts';
import { toRoutePrefix } from '#shared/module/module.ts';
import { createCommand } from '../command.ts';
import { findModules, type KnownModule } from '../modules/find-modules.ts';
import { root } from '../project.ts';
import { renderColumns } from '../terminal.ts';

const header = ['MODULE', 'VERSION', 'INSTALLED', 'ENABLED', 'REQUIRES', 'ROUTES', 'TOOLS'];
/** In place of what is not known. */
const none = '-';

export const moduleList = createCommand('module:list', 'list the modules, and how far each is in use').action(
  async () => {
    const modules = await findModules();
    const { found, fault } = await tryDiscover();
    console.log(renderColumns([header, ...modules.map((module) => toRow(module, found))]));
    const faults = modules.flatMap((each) => (each.enabled || !each.fault ? [] : [each.fault]));
    if (fault) throw new Error([...faults, fault].join('\n'));
    for (const each of faults) console.warn(`Warning: ${each}`);
  },
);

/** What the enabled modules declare; where they break a rule, what that is. */
async function tryDiscover(): Promise<{ found?: Manifest; fault?: string }> {
  try {
    return { found: await discover(root) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

function toRow({ name, manifest, installed, enabled }: KnownModule, found: Manifest | undefined): string[] {
  const count = (names: readonly string[] | undefined, own: string) =>
    enabled && names ? String(names.filter((each) => each === own).length) : none;
  return [
    name,
    manifest?.version ?? none,
    installed ? 'yes' : 'no',
    enabled ? 'yes' : 'no',
    manifest?.requires?.join(', ') || none,
    count(
      found?.routes.map(({ module }) => module),
      name,
    ),
    // A tool is named after its module: `shop.list_kinds`.
    count(
      found?.tools.map(({ tool }) => tool.name.split('.')[0] ?? ''),
      toRoutePrefix(name),
    ),
  ];
}
