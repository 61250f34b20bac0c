import { discover } from '#functions/discover.ts';
import { listTools } from '#shared/tools/list-tools.ts';
import { createRegistry } from '#shared/tools/registry.ts';
import { defineCommand } from '../command.ts';
import { renderColumns } from '../help.ts';
import { printWarnings } from '../print-warnings.ts';
import { root } from '../project.ts';

const header = ['TOOL', 'ACCESS', 'ASSISTANT', 'MODULE', 'DESCRIPTION'];

export const toolList = defineCommand({
  summary: 'list the tools of the enabled modules; all, or those that a text occurs in',
  positionals: ['[text]'],
  options: {},
  async run({ positionals: [text = ''] }) {
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
    console.log(renderColumns([header, ...rows]));
  },
});
