import { discover } from '#functions/discover.ts';
import { listTools } from '#shared/tools/list-tools.ts';
import { createRegistry } from '#shared/tools/registry.ts';
import { createCommand } from '../command.ts';
import { root } from '../project.ts';
import { printWarnings, renderColumns } from '../terminal.ts';

const header = ['TOOL', 'ACCESS', 'ASSISTANT', 'MODULE', 'DESCRIPTION'];

export const toolList = createCommand('tool:list', 'list the tools of the enabled modules')
  .argument('[text]', 'only those that this occurs in', '')
  .action(async (text) => {
    const found = await discover(root);
    printWarnings(found);
    const registry = createRegistry(
      found.tools.map(({ tool }) => tool),
      found.adapters.map(({ adapter }) => adapter),
    );
    const modules = new Map(found.tools.map(({ tool, file }) => [tool.name, file.split('/')[1]]));
    const rows = listTools(registry)
      .map(({ name, access, chat, description }) => {
        return [name, access, chat ? 'yes' : 'no', modules.get(name) ?? '', description];
      })
      .filter((row) => row.join(' ').toLowerCase().includes(text.toLowerCase()));
    if (text && rows.length === 0) throw new Error(`There is no tool with "${text}"`);
    console.log(renderColumns([header, ...rows]));
  });
